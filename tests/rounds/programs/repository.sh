# git makes a repository, commits and reads it back: files, locks, hashing, compression, processes of its own.
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_AUTHOR_DATE='1700000000 +0000'
export GIT_COMMITTER_NAME=c GIT_COMMITTER_EMAIL=c@example.org GIT_COMMITTER_DATE='1700000000 +0000'
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
set -e
git init -q -b main .
i=0
while [ $i -lt 20 ]; do echo "line $i of a file" >"file-$i"; i=$((i + 1)); done
git add .
git commit -q -m first
echo more >>file-7
git diff --stat
git log --format='%H %T %s'
