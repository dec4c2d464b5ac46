// Drives the debug adapter with the client that VS Code's own adapters are tested with.
// node editor_client.js RETROGRADE SOURCES PROGRAMS: the program under test, where the fixtures' sources are, and where
// the programs are that were built of them. The module @vscode/debugadapter-testsupport is looked for in NODE_PATH.
const assert = require('assert');
const fs = require('fs');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const [adapter, sources, programs] = process.argv.slice(2);
const source = name => `${sources}/${name}`;
const lineOf = (name, text) => fs.readFileSync(source(name), 'utf8').split('\n').findIndex(line => line.includes(text)) + 1;

async function session(work) {
    const client = new DebugClient(adapter, 'dap', 'retrograde');
    client.defaultTimeout = 60000;
    await client.start();
    try {
        await work(client);
    } finally {
        await client.stop();
    }
}

const moved = async (client, request) => {
    const stopped = client.waitForEvent('stopped');
    await request;
    return (await stopped).body;
};

async function aBreakpointIsHitAndSteppedFromBothWays() {
    await session(async client => {
        const path = source('stepping.c');
        const line = lineOf('stepping.c', '@call');
        await client.hitBreakpoint({ program: `${programs}/stepping` }, { path, line });
        const threads = (await client.threadsRequest()).body.threads;
        const step = { threadId: threads[0].id };
        await Promise.all([client.stepInRequest(step), client.assertStoppedLocation('step', { path })]);
        await Promise.all([client.stepOutRequest(step), client.assertStoppedLocation('step', { path, line })]);
        await Promise.all([client.stepBackRequest(step), client.assertStoppedLocation('breakpoint', { path, line })]);
    });
}

async function aCrashIsTracedBack() {
    await session(async client => {
        const path = source('corrupt_table.c');
        await Promise.all([
            client.configurationSequence(),
            client.launch({ program: `${programs}/corrupt_table` }),
            client.assertStoppedLocation('exception', { path, line: lineOf('corrupt_table.c', '* station->calibration') }),
        ]);
        const threadId = (await client.threadsRequest()).body.threads[0].id;
        const info = (await client.exceptionInfoRequest({ threadId })).body;
        assert.strictEqual(info.exceptionId, 'SIGSEGV');
        const frame = (await client.stackTraceRequest({ threadId, startFrame: 0, levels: 1 })).body.stackFrames[0];
        const scopes = (await client.scopesRequest({ frameId: frame.id })).body.scopes;
        const parts = async variablesReference => (await client.variablesRequest({ variablesReference })).body.variables;
        const station = (await parts(scopes.find(scope => scope.name === 'Arguments').variablesReference))
            .find(variable => variable.name === 'station');
        const readings = (await parts(station.variablesReference)).find(variable => variable.name === 'readings');
        assert.strictEqual(readings.indexedVariables, 8);
        const watched = { variablesReference: station.variablesReference, name: 'calibration' };
        const { dataId } = (await client.dataBreakpointInfoRequest(watched)).body;
        await client.setDataBreakpointsRequest({ breakpoints: [{ dataId, accessType: 'write' }] });
        await Promise.all([
            client.reverseContinueRequest({ threadId }),
            client.assertStoppedLocation('data breakpoint', { path, line: lineOf('corrupt_table.c', '= value;') }),
        ]);
        const there = (await client.stackTraceRequest({ threadId })).body.stackFrames[0];
        const slot = (await client.evaluateRequest({ expression: 'slot', frameId: there.id, context: 'hover' })).body;
        assert.strictEqual(slot.result, '8');
    });
}

async function theEndIsAStopFromWhichOneGoesBack() {
    await session(async client => {
        const exited = client.waitForEvent('exited');
        await Promise.all([
            client.configurationSequence(),
            client.launch({ program: `${programs}/exit_code`, args: ['word'] }),
            client.assertOutput('stdout', 'word -\n'),
            client.assertOutput('stderr', 'to stderr\n'),
            client.waitForEvent('stopped'),
        ]);
        assert.strictEqual((await exited).body.exitCode, 42);
        const end = await moved(client, client.pauseRequest({ threadId: 1 }));
        assert.strictEqual(end.reason, 'end');
        const start = await moved(client, client.reverseContinueRequest({ threadId: end.threadId }));
        assert.strictEqual(start.reason, 'entry');
        const terminated = client.waitForEvent('terminated');
        await client.terminateRequest({});
        await terminated;
    });
}

(async () => {
    for (const test of [aBreakpointIsHitAndSteppedFromBothWays, aCrashIsTracedBack, theEndIsAStopFromWhichOneGoesBack]) {
        await test();
        console.log(`${test.name}: ok`);
    }
})().catch(error => {
    console.error(error);
    process.exit(1);
});
