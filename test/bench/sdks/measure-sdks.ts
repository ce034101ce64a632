import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sdkFiles } from '../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../service/languages/load-language.ts';
import { driverEnv } from '../../conformance/driver-process.ts';
import { writeFiles } from '../../support/cargo.ts';
import { loadSdkFixture } from '../../support/sdk-fixtures.ts';
import { missingToolchain } from '../../support/toolchains.ts';
import { median, type Ratio, ratioOf } from '../statistics.ts';
import { startCallServer } from './call-server.ts';
import { type BenchProgram, loadSdkBench } from './sdk-bench.ts';

/** Compilation and code layout vary between processes, so one process alone is not representative. */
const PROCESSES = 3;

/** Times of one unary call in microseconds: the medians of the medians of the processes. */
export interface SdkTimes {
  language: string;
  bareClient: string;
  /** Number of calls of each side. */
  calls: number;
  bareUs: number;
  sdkUs: number;
  /** Ratio of the SDK to its bare client in each process. */
  ratio: Ratio;
}

interface SdkBenchOptions {
  languages: readonly string[];
  /** Durations of the warm-up and of the measurement in each process. */
  seconds: number;
  say: (text: string) => void;
}

/** Measures calls with the SDK of each language whose toolchain is present, and the same request with its bare HTTP client. */
export async function measureSdks({ languages, seconds, say }: SdkBenchOptions): Promise<SdkTimes[]> {
  const rows: SdkTimes[] = [];
  for (const id of languages) {
    const bench = await loadSdkBench(id);
    const missing = missingToolchain(bench.toolchain);
    if (missing !== undefined) {
      say(`SDK calls: ${id} left out, ${missing}`);
      continue;
    }
    say(`SDK calls: ${id}`);
    const runs = await withSdk(bench.language ?? id, async (archive) => {
      const program = await bench.build(archive);
      return inTurn(PROCESSES, () => measureCalls(program, seconds));
    });
    const bareUs = runs.map(({ bare }) => median(bare) / 1000);
    const sdkUs = runs.map(({ sdk }) => median(sdk) / 1000);
    rows.push({
      language: id,
      bareClient: bench.bareClient,
      calls: runs.reduce((sum, { sdk }) => sum + sdk.length, 0),
      bareUs: median(bareUs),
      sdkUs: median(sdkUs),
      ratio: ratioOf(sdkUs, bareUs),
    });
  }
  return rows;
}

/** Uses an archive of the client `basic`, unpacked into a temporary folder. */
export async function withSdk<Result>(
  id: string,
  use: (archive: string) => Promise<Result>,
): Promise<Result> {
  const archive = await mkdtemp(path.join(tmpdir(), `svc-bench-${id}-`));
  try {
    const { language, templates } = await loadLanguage(id);
    await writeFiles(archive, await sdkFiles(await loadSdkFixture('basic'), language, templates));
    return await use(archive);
  } finally {
    await rm(archive, { recursive: true, force: true });
  }
}

async function inTurn<Result>(times: number, run: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < times) results.push(await run());
  return results;
}

async function measureCalls(
  { program, args, cwd, env = {} }: BenchProgram,
  seconds: number,
): Promise<{ bare: number[]; sdk: number[] }> {
  const server = await startCallServer();
  try {
    const { stdout } = await promisify(execFile)(program, [...args], {
      cwd,
      env: driverEnv({
        ...env,
        BENCH_SECONDS: String(seconds),
        SVC_BASE_URL: server.url,
        SVC_API_KEY: 'svc_0123456789abcdef0123456789abcdef',
      }),
      maxBuffer: 64 * 1024 * 1024,
    });
    return JSON.parse(stdout) as { bare: number[]; sdk: number[] };
  } finally {
    await server.stop();
  }
}
