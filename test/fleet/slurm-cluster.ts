import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROGRAMS = ['munged', 'slurmctld', 'slurmd', 'slurmdbd', 'mariadbd', 'mariadb-install-db', 'sbatch', 'sacct'];

/** Why there can be no cluster on this machine; undefined when there can. */
export function clusterLack(): string | undefined {
  if (process.getuid?.() !== 0) return 'a Slurm cluster for the test needs root';
  const missing = PROGRAMS.filter((name) => !['/usr/bin', '/usr/sbin'].some((dir) => existsSync(path.join(dir, name))));
  return missing.length === 0 ? undefined : `no Slurm cluster for the test: ${missing.join(', ')} not installed`;
}

/** A cluster of two nodes with accounting: all daemons are this machine's, on ports and in a folder of their own. */
export class SlurmCluster {
  private readonly daemons: ChildProcess[] = [];
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'iolens-slurm-'));
  /** For programs that are to reach it. */
  readonly environment: NodeJS.ProcessEnv = {
    ...process.env,
    SLURM_CONF: this.at('slurm.conf'),
    PATH: `${process.env['PATH'] ?? ''}:/usr/bin:/usr/sbin`,
  };

  /** @param cpus of each node: as many tasks run at once. */
  static async start(cpus = 2): Promise<SlurmCluster> {
    const cluster = new SlurmCluster();
    try {
      await cluster.startAll(cpus);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  at(...names: string[]): string {
    return path.join(this.folder, ...names);
  }

  /** Runs a command of Slurm. */
  async command(program: string, ...words: string[]): Promise<string> {
    const { stdout } = await run(program, words, { env: this.environment, cwd: this.folder });
    return stdout.trim();
  }

  /** Asks until the answer is right. */
  async until(what: string, holds: () => Promise<boolean>, seconds = 60): Promise<void> {
    const end = Date.now() + seconds * 1000;
    let reason: unknown = '';
    const failed = (error: unknown): boolean => {
      reason = error;
      return false;
    };
    while (!(await holds().catch(failed))) {
      if (Date.now() > end) throw new Error(`waited ${seconds} s in vain for: ${what} ${String(reason)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async stop(): Promise<void> {
    for (const daemon of this.daemons.reverse()) {
      if (daemon.exitCode !== null || daemon.signalCode !== null) continue;
      const ended = new Promise((resolve) => daemon.once('exit', resolve));
      daemon.kill('SIGTERM');
      const kill = setTimeout(() => daemon.kill('SIGKILL'), 5000);
      await ended;
      clearTimeout(kill);
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  private async startAll(cpus: number): Promise<void> {
    const [controller, node1, node2, accounting, database] = await freePorts(5);
    for (const name of ['state', 'log', 'database', 'munge']) mkdirSync(this.at(name), { mode: 0o755 });
    await Promise.all([this.startMunge(), this.startDatabase(database!)]);
    this.write('slurm.conf', this.configuration(controller!, [node1!, node2!], accounting!, cpus));
    this.write('slurmdbd.conf', this.accountingConfiguration(accounting!, database!), 0o600);
    this.spawn('slurmdbd', ['-D'], { ...this.environment, SLURM_CONF: this.at('slurmdbd.conf') });
    await this.until('accounting', async () => {
      await this.command('sacctmgr', '-i', 'add', 'cluster', 'iolens');
      return true;
    });
    this.spawn('slurmctld', ['-D', '-c', '-f', this.at('slurm.conf')]);
    for (const node of ['n1', 'n2']) this.spawn('slurmd', ['-D', '-N', node, '-f', this.at('slurm.conf')]);
    await this.until('nodes', async () => (await this.command('sinfo', '-h', '-o', '%t %D')) === 'idle 2');
  }

  private async startMunge(): Promise<void> {
    const [key, socket] = [this.at('munge', 'key'), this.at('munge', 'socket')];
    execFileSync('mungekey', ['--create', `--keyfile=${key}`]);
    const own = ['log', 'pid', 'seed'].map((name) => `--${name}-file=${this.at('munge', name)}`);
    this.spawn('munged', ['--foreground', '--force', `--key-file=${key}`, `--socket=${socket}`, ...own]);
    await this.until('munge', async () =>
      (await run('munge', ['-n', `--socket=${socket}`])).stdout.startsWith('MUNGE'),
    );
  }

  private async startDatabase(port: number): Promise<void> {
    const data = this.at('database');
    const own = ['--no-defaults', `--datadir=${data}`];
    await run('mariadb-install-db', [
      ...own,
      '--user=root',
      '--skip-test-db',
      '--auth-root-authentication-method=normal',
    ]);
    this.write(
      'database.sql',
      "CREATE USER slurm@'127.0.0.1' IDENTIFIED BY 'test';\nGRANT ALL ON *.* TO slurm@'127.0.0.1';\n",
    );
    this.spawn('mariadbd', [
      ...own,
      '--user=root',
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${this.at('database.socket')}`,
      `--init-file=${this.at('database.sql')}`,
      '--skip-name-resolve',
      '--innodb-flush-log-at-trx-commit=0',
    ]);
    const ask = ['--no-defaults', '-h', '127.0.0.1', '-P', String(port), '-u', 'slurm', '-ptest', '-e', 'SELECT 1'];
    await this.until('database', async () => (await run('mariadb', ask)).stdout !== '');
  }

  private spawn(program: string, words: string[], env = this.environment): void {
    const log = openSync(this.at('log', `${program}-${this.daemons.length}.out`), 'w');
    this.daemons.push(spawn(program, words, { env, stdio: ['ignore', log, log] }));
  }

  private write(name: string, text: string, mode = 0o644): void {
    writeFileSync(this.at(name), text, { mode });
  }

  private configuration(controller: number, nodes: readonly number[], accounting: number, cpus: number): string {
    const host = os.hostname().split('.')[0]!;
    const settings = {
      ClusterName: 'iolens',
      SlurmctldHost: `${host}(127.0.0.1)`,
      SlurmUser: 'root',
      SlurmdUser: 'root',
      AuthType: 'auth/munge',
      AuthInfo: `socket=${this.at('munge', 'socket')}`,
      StateSaveLocation: this.at('state'),
      SlurmdSpoolDir: this.at('spool-%n'),
      SlurmctldPidFile: this.at('slurmctld.pid'),
      SlurmdPidFile: this.at('slurmd-%n.pid'),
      SlurmctldLogFile: this.at('log', 'slurmctld.log'),
      SlurmdLogFile: this.at('log', 'slurmd-%n.log'),
      SlurmctldPort: controller,
      ProctrackType: 'proctrack/linuxproc',
      TaskPlugin: 'task/none',
      JobAcctGatherType: 'jobacct_gather/none',
      SelectType: 'select/cons_tres',
      SelectTypeParameters: 'CR_Core',
      SchedulerType: 'sched/backfill',
      SchedulerParameters: 'sched_min_interval=50000,bf_interval=1,batch_sched_delay=0',
      ReturnToService: 2,
      MinJobAge: 3600,
      MpiDefault: 'none',
      AccountingStorageType: 'accounting_storage/slurmdbd',
      AccountingStorageHost: '127.0.0.1',
      AccountingStoragePort: accounting,
      AccountingStoragePass: this.at('munge', 'socket'),
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    const node = `NodeHostname=${host} NodeAddr=127.0.0.1 CPUs=${cpus} RealMemory=2000 State=UNKNOWN\n`;
    lines.push(...nodes.map((port, index) => `NodeName=n${index + 1} Port=${port} ${node}`));
    return `${lines.join('')}PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO\n`;
  }

  private accountingConfiguration(accounting: number, database: number): string {
    return [
      'AuthType=auth/munge',
      `AuthInfo=socket=${this.at('munge', 'socket')}`,
      'DbdHost=localhost',
      'DbdAddr=127.0.0.1',
      `DbdPort=${accounting}`,
      'SlurmUser=root',
      `LogFile=${this.at('log', 'slurmdbd.log')}`,
      `PidFile=${this.at('slurmdbd.pid')}`,
      'StorageType=accounting_storage/mysql',
      'StorageHost=127.0.0.1',
      `StoragePort=${database}`,
      'StorageUser=slurm',
      'StoragePass=test',
      'StorageLoc=accounting',
      '',
    ].join('\n');
  }
}

/** Ports that nobody listens on; all are looked for before one is given back. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once('error', reject);
          server.listen(0, '127.0.0.1', () => {
            const address = server.address();
            resolve(typeof address === 'object' && address !== null ? address.port : 0);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
