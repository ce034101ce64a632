import { readdirSync, readFileSync } from 'node:fs';

/** A process and its descendants at one moment (Linux only, elsewhere zero). */
export interface TreeUse {
  /** Resident memory in bytes. */
  memory: number;
  /** Processor time so far, including that of ended children, in seconds. */
  cpuSeconds: number;
}

const pageBytes = 4_096;
const ticksPerSecond = 100;

export function useOfTree(root: number): TreeUse {
  const processes = readProcesses();
  const use: TreeUse = { memory: 0, cpuSeconds: 0 };
  const pending = [root];
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    const one = processes.get(pid);
    if (!one) continue;
    use.memory += one.memory;
    use.cpuSeconds += one.cpuSeconds;
    for (const [child, { parent }] of processes) if (parent === pid) pending.push(child);
  }
  return use;
}

function readProcesses(): Map<number, TreeUse & { parent: number }> {
  const found = new Map<number, TreeUse & { parent: number }>();
  if (process.platform !== 'linux') return found;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = readStat(pid);
    if (!fields) continue;
    // Fields by number, beginning with the state, 3: parent 4; utime, stime, cutime and cstime 14 to 17; rss 24.
    const at = (field: number): number => Number(fields[field - 3]);
    found.set(Number(pid), {
      parent: at(4),
      memory: at(24) * pageBytes,
      cpuSeconds: (at(14) + at(15) + at(16) + at(17)) / ticksPerSecond,
    });
  }
  return found;
}

/** Returns the fields after the name, which may contain blanks; undefined if the process has ended. */
function readStat(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
