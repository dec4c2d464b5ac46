// Registers the debug type `retrograde`: the adapter is the program itself, `retrograde dap`.
const vscode = require('vscode');

const adapter = {
    createDebugAdapterDescriptor: () =>
        new vscode.DebugAdapterExecutable(vscode.workspace.getConfiguration('retrograde').get('path'), ['dap']),
};

async function request(name, parameters) {
    const session = vscode.debug.activeDebugSession;
    if (session?.type !== 'retrograde') return undefined;
    try {
        return await session.customRequest(name, parameters);
    } catch (error) {
        vscode.window.showErrorMessage(error.message);
        return undefined;
    }
}

async function copyPosition() {
    const here = await request('retrograde/position');
    if (here) vscode.env.clipboard.writeText(here.position);
}

function inThread(name) {
    const threadId = vscode.debug.activeStackItem?.threadId;
    if (threadId !== undefined) request(name, { threadId });
}

async function goTo() {
    const prompt = 'A position, as "Copy the Position" has it, or the number of an event';
    const place = await vscode.window.showInputBox({ prompt });
    if (place) request('retrograde/goto', /^\d+$/.test(place) ? { event: Number(place) } : { position: place });
}

exports.activate = context =>
    context.subscriptions.push(
        vscode.debug.registerDebugAdapterDescriptorFactory('retrograde', adapter),
        vscode.commands.registerCommand('retrograde.copyPosition', copyPosition),
        vscode.commands.registerCommand('retrograde.goto', goTo),
        vscode.commands.registerCommand('retrograde.stepBackIn', () => inThread('retrograde/stepBackIn')),
        vscode.commands.registerCommand('retrograde.stepBackOut', () => inThread('retrograde/stepBackOut')),
    );
