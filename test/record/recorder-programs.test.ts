import { chmodSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { freshFolder, has } from '../support/programs.ts';
import { rounds } from '../support/rounds.ts';
import { soundRecording } from '../support/recorder/recorder-chunks.ts';
import { canRecord, sharedRecorder, plainRun, recordedRun, type Run } from '../support/recorder/recorder-runs.ts';

/** Programs of a Debian machine print, write and return the same with and without the recorder library. */
const folder = freshFolder('recorder-programs');
const place = path.join(folder, 'run');
let library = '';

beforeAll(async () => {
  if (!canRecord) return;
  chmodSync(folder, 0o755);
  library = await sharedRecorder();
}, 120_000);

/** An index of git holds the files' inodes and times. */
const CHANGING = /\.git\/(index|logs|COMMIT_EDITMSG)|\.pyc$/;

function result({ status, stdout, stderr, files }: Run): unknown {
  const lasting = Object.entries(files).filter(([name]) => !CHANGING.test(name));
  return { status, stdout, stderr, files: Object.fromEntries(lasting) };
}

const DATES = 'export GIT_AUTHOR_DATE="2024-01-01T00:00:00Z" GIT_COMMITTER_DATE="2024-01-01T00:00:00Z" HOME=$PWD;';
const WORDS = 'for i in $(seq 500); do echo "$((i * 7919 % 503)) word$i"; done > words.txt;';

const PYTHON_THREADS = `
import threading, json, tempfile, os
lock = threading.Lock()
def work(n):
    for i in range(50):
        with open(f"t{n}.json", "w") as f: json.dump({"n": n, "i": i}, f)
        with lock:
            with open("all.txt", "a") as f: f.write("x")
threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
for t in threads: t.start()
for t in threads: t.join()
with tempfile.TemporaryFile() as f: f.write(b"abc"); f.seek(0); print(f.read())
print(sorted(os.listdir(".")))
`;

const PYTHON_PROCESSES = `
import multiprocessing, subprocess, os, sys
def square(n):
    with open(f"s{n}.txt", "w") as f: f.write(str(n * n))
    return n * n
if __name__ == "__main__":
    for way in ("fork", "spawn", "forkserver"):
        with multiprocessing.get_context(way).Pool(3) as pool: print(way, pool.map(square, range(10)))
    print(subprocess.run("echo out; echo err >&2; exit 3", shell=True, capture_output=True))
    print(subprocess.check_output(["tr", "a-z", "A-Z"], input=b"hello"), os.system("exit 2") >> 8)
    child = os.fork()
    if child == 0: os._exit(9)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    r, w = os.pipe(); print(os.write(w, b"through"), os.read(r, 10))
`;

const C_PROGRAM = `
#include <stdio.h>
int main(int count, char **arguments) { printf("%d %s\\n", count, arguments[1]); return 4; }
`;

const BASH = `
trap 'echo trapped; exit 5' TERM
trap 'echo leaving' EXIT
exec 3>three.txt; echo to three >&3; exec 3>&-
cat <<< here | { read -r line; echo "got $line"; } | tee copy.txt
diff <(seq 5) <(seq 2 6) || echo differs
( ulimit -n 8; for i in 1 2 3; do echo $i; done ) > limited.txt
for i in 1 2 3; do ( echo $i > part$i.txt ) & done; wait
yes | head -3
set -o pipefail; false | true || echo "failed $?"
kill -TERM $$
`;

const MAKEFILE = `
all: a.o b.o
\\tcat $^ > $@
%.o: %.c
\\t@echo compiling $<; cp $< $@
a.c b.c:
\\techo "int $(basename $@);" > $@
`;

/** Name, tools that it needs, and what bash runs. */
const PROGRAMS: [string, string[], string][] = [
  [
    'git',
    ['git'],
    `${DATES} git init -q -b main . && git config user.email a@b && git config user.name n && ${WORDS} git add . && git commit -qm one && echo more >> words.txt && git commit -qam two && git log --stat && git gc -q && git fsck && git diff HEAD~1 && git clone -q . copy && git -C copy log --oneline`,
  ],
  [
    'sqlite3',
    ['sqlite3'],
    `sqlite3 db.sqlite "create table t(a, b); with recursive n(i) as (select 1 union all select i+1 from n where i<2000) insert into t select i, 'row'||i from n; create index x on t(b); delete from t where a%3=0; vacuum;" && sqlite3 db.sqlite "select count(*), sum(a) from t; pragma integrity_check;" && sqlite3 wal.sqlite "pragma journal_mode=wal; create table u(a); insert into u values(1); select * from u;" && sqlite3 db.sqlite .dump | md5sum`,
  ],
  ['python threads', ['python3'], `cat > p.py <<'END'\n${PYTHON_THREADS}\nEND\npython3 p.py`],
  ['python processes', ['python3'], `cat > p.py <<'END'\n${PYTHON_PROCESSES}\nEND\npython3 p.py`],
  [
    'gcc',
    ['gcc'],
    `cat > p.c <<'END'\n${C_PROGRAM}\nEND\ngcc -O2 -o p p.c; ./p hello; echo $?; gcc -c missing.c; rm p`,
  ],
  [
    'make',
    ['make'],
    `printf '${MAKEFILE.replaceAll('\n', String.raw`\n`)}' > Makefile; make -j3 | sort; make -q; echo $?`,
  ],
  [
    'tar, gzip and xz',
    ['tar', 'gzip', 'xz'],
    `${WORDS} mkdir d; ln -s ../words.txt d/link; ln words.txt d/hard; tar --sort=name --mtime=@0 -czf a.tgz words.txt d; tar -tf a.tgz; mkdir out; tar -xf a.tgz -C out; xz -k -T2 words.txt; xz -dc words.txt.xz | cmp - words.txt; gzip -dc a.tgz | md5sum; xz -t a.tgz`,
  ],
  [
    'find, grep, sed, awk and sort',
    ['find', 'grep', 'sed', 'awk'],
    `${WORDS} mkdir -p a/b/c; for i in $(seq 50); do cp words.txt a/b/$i.txt; done; find . -name '*5.txt' -exec wc -c {} + | sort; grep -rlc word499 a | sort; sed -i s/word1/WORD/ a/b/1.txt; awk '{s+=$1} END {print s}' a/b/*.txt; sort -S 1k -T . -n words.txt | md5sum; sort --parallel=2 words.txt a/b/2.txt | uniq -c | md5sum; find a | xargs -P 2 -n 5 ls -d | sort | md5sum; rm words.txt`,
  ],
  [
    'cp, mv, dd, install and rm',
    ['dd'],
    `${WORDS} cp words.txt b; cp --sparse=always --reflink=auto b c; mv b d; dd if=words.txt of=e bs=100 skip=2 seek=3 conv=notrunc status=none; dd if=words.txt bs=1 count=3000 status=none | md5sum; truncate -s 10000 e; install -m 600 d f; split -n 3 f part; cat part* | cmp - f; shred -u f; ln -s d g; cat g | md5sum; touch -d @0 d; ls -l d | cut -c1-10; rm -r c; cp missing x; echo $?`,
  ],
  ['bash', ['bash'], `cat > s.sh <<'END'\n${BASH}\nEND\nbash s.sh; echo $?`],
  [
    'perl',
    ['perl'],
    String.raw`perl -e 'open(F, ">", "p.txt"); print F "line $_\n" for 1..1000; close F; open(F, "+<", "p.txt"); seek(F, 100, 0); read(F, $b, 20); print $b; $p = fork(); if (!$p) { exec "echo", "child" } waitpid($p, 0); print "status $?\n"; print scalar(\`wc -l p.txt\`); unlink "p.txt"; $SIG{ALRM} = sub { print "alarm\n"; exit 6 }; alarm 1; sleep 5'; echo $?`,
  ],
  [
    'ssh-keygen',
    ['ssh-keygen'],
    `ssh-keygen -q -t ed25519 -N "" -C me -f key; ssh-keygen -y -f key | cut -c1-20; echo text > t; ssh-keygen -Y sign -q -f key -n file t 2>/dev/null; ssh-keygen -Y check-novalidate -n file -s t.sig < t | cut -c1-20; rm key* t.sig`,
  ],
  [
    'rsync',
    ['rsync'],
    `${WORDS} mkdir a; cp words.txt a; rsync -a a/ b; rsync -an --stats a/ b | grep "Number of files:"; diff -r a b && echo same`,
  ],
  [
    'node',
    ['node'],
    `node -e 'const fs = require("fs"); fs.writeFileSync("n.txt", "a".repeat(1e5)); fs.readFile("n.txt", (e, d) => console.log(d.length)); console.log(require("child_process").execSync("echo child").toString())'`,
  ],
  [
    'zip and file',
    ['zip', 'file', 'unzip'],
    `${WORDS} zip -qX a.zip words.txt; unzip -p a.zip | md5sum; file words.txt a.zip; rm a.zip`,
  ],
  [
    'cmp, od, patch and bc',
    ['bc', 'patch'],
    `${WORDS} cp words.txt b; echo end >> b; diff -u words.txt b > p; patch -s words.txt p; cmp words.txt b && echo same; od -c b | tail -2; echo '2^200' | bc; rm p`,
  ],
  [
    'programs that are not recorded',
    ['env'],
    `env -i /bin/echo bare; /sbin/ldconfig -p | wc -l; cat /proc/self/comm; /nowhere; echo $?`,
  ],
];

/** With stacks more can go wrong; without them as well in the full run. */
const DEPTHS = rounds(10) > 1 ? [0, 64] : [64];

describe.runIf(canRecord).each(DEPTHS)('with stacks of up to %i', (depth) => {
  for (const [name, tools, script] of PROGRAMS)
    test.runIf(has(...tools.filter((tool) => tool !== 'ssh-keygen')))(name, () => {
      const command = ['bash', '-c', script];
      const plain = plainRun(place, command);
      const recorded = recordedRun(library, place, command, { depth });
      expect(result(recorded)).toEqual(result(plain));
      const { calls, torn, lost } = soundRecording(recorded.recording);
      expect(calls.length).toBeGreaterThan(0);
      expect({ torn, lost }).toEqual({ torn: [], lost: 0 });
    });
});
