import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import prettier from 'prettier';
import { sdkFiles } from '../../../generator/sdk-files.ts';
import { listLanguages, loadLanguage } from '../../../service/languages/load-language.ts';
import { createVersionModels } from '../../../service/builds/version-models.ts';
import { largeSource } from '../large-source.ts';
import { replaceSections } from '../replace-sections.ts';
import { checksTable } from './checks/checks-table.ts';
import { runChecks } from './checks/run-checks.ts';
import { type Comparison, compare, type Parties } from './compare.ts';
import { installOpenapiGenerator, openapiGeneratorVersion } from './openapi-generator.ts';
import { peerCache } from './peer.ts';
import { peerTables } from './peer-tables.ts';
import { singleLanguagePeers } from './single-language-peers.ts';

/**
 * `npm run bench:peers [-- --write] [--quick] [--nodes 50,200] [--seconds 205] [--checks] [--languages go,python]`
 *
 * `--checks` also compiles and lints all generated SDKs, which takes several more minutes. `--nodes ''` skips the
 * timings.
 */
const { values: flags } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    nodes: { type: 'string', default: '50,200' },
    seconds: { type: 'string', default: '205' },
    checks: { type: 'boolean', default: false },
    languages: { type: 'string', default: '' },
  },
});

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const reason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 200) ?? '';

const absent: string[] = [];
const leaveOut = (name: string, error: unknown): void => {
  absent.push(`${name} (${reason(error)})`);
  say(`left out: ${absent.at(-1) ?? ''}`);
};

/** Installs the parties of the comparison, and returns those that work here. */
async function findParties(): Promise<Parties> {
  const cache = peerCache();
  await mkdir(cache, { recursive: true });
  say(`generators are kept in ${cache}`);
  const languages: string[] = [];
  const model = createVersionModels().modelOf(await largeSource(1));
  const wanted = flags.languages === '' ? await listLanguages() : flags.languages.split(',');
  for (const id of wanted) {
    try {
      const { language, templates } = await loadLanguage(id);
      await sdkFiles(model, language, templates);
      languages.push(id);
    } catch (error) {
      leaveOut(`svc's ${id}`, error);
    }
  }
  const openapiGenerator = await installOpenapiGenerator(cache).then(
    () => true,
    (error: unknown) => {
      leaveOut(`openapi-generator ${openapiGeneratorVersion}`, error);
      return false;
    },
  );
  const peers: (typeof singleLanguagePeers)[number][] = [];
  for (const peer of singleLanguagePeers) {
    try {
      await peer.install(cache);
      peers.push(peer);
    } catch (error) {
      leaveOut(peer.name, error);
    }
  }
  return { languages, peers, openapiGenerator, cache };
}

const counts = flags.nodes.split(',').filter(Boolean).map(Number);
const seconds = Number(flags.seconds);
if (counts.some((count) => !Number.isInteger(count) || count < 1 || count > 200) || !(seconds > 0)) {
  say('--nodes takes numbers from 1 to 200, --seconds for how long further programs may begin');
  process.exit(1);
}
const parties = await findParties();
const comparisons: Comparison[] = [];
let leftMs = seconds * 1000;
for (const [index, nodes] of counts.entries()) {
  // The last and largest one gets the remaining time.
  const budgetMs = index === counts.length - 1 ? leftMs : leftMs * 0.45;
  const startedAt = performance.now();
  const effort = { rounds: flags.quick ? 1 : 3, warmRounds: flags.quick ? 3 : 7, budgetMs, say };
  comparisons.push(await compare(nodes, parties, effort));
  comparisons.at(-1)?.failures.forEach((failure) => absent.push(`at ${nodes} nodes ${failure}`));
  leftMs = Math.max(0, leftMs - (performance.now() - startedAt));
}
const checked = flags.checks ? await runChecks(parties, say) : undefined;
const section = `${[peerTables(comparisons, absent), ...(checked ? [checksTable(checked)] : [])].join('\n\n')}\n`;
process.stdout.write(section);
if (flags.write) {
  const file = path.resolve(import.meta.dirname, '../../../docs/benchmarks.md');
  const written = await readFile(file, 'utf8').catch(() => '');
  const style = await prettier.resolveConfig(file);
  await writeFile(
    file,
    await prettier.format(replaceSections(written, section), { ...style, filepath: file }),
  );
  say('written to docs/benchmarks.md');
}
