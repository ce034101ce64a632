import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SdkModel } from '../../../../generator/model/sdk-model.ts';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../../service/languages/load-language.ts';
import { createVersionModels } from '../../../../service/builds/version-models.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';
import { largeSource } from '../../large-source.ts';
import type { Parties } from '../compare.ts';
import {
  generateCommand,
  generatorTitle,
  openapiGeneratorLanguages,
  writeGeneratorConfigs,
} from '../openapi-generator.ts';
import { runProgram } from '../run-program.ts';
import { writeDocument, writeFixtureDocument } from '../write-document.ts';
import { goCheck } from './check-go.ts';
import { javaCheck } from './check-java.ts';
import { pythonCheck } from './check-python.ts';
import { rustCheck } from './check-rust.ts';
import { typescriptCheck } from './check-typescript.ts';
import type { LanguageCheck, Verdict } from './language-check.ts';

/** Not every machine can reach the C# registry, so only the test suites check C#. */
export const languageChecks: readonly LanguageCheck[] = [
  goCheck,
  javaCheck,
  pythonCheck,
  rustCheck,
  typescriptCheck,
];

/** One generator for one language. A verdict is undefined if the SDK was not checked, for the reason in `absent`. */
interface CheckedRow {
  language: string;
  generator: string;
  /** The large package. */
  plain: Verdict | undefined;
  /** Cases of `fixtures/sdk`: reserved or colliding names, and text that ends comments and strings. */
  hostileNames: boolean | undefined;
  hostileText: boolean | undefined;
}

export interface Checked {
  nodes: number;
  rows: readonly CheckedRow[];
  /** Skipped checks with their reasons. */
  absent: readonly string[];
}

/** An input of all generators. */
interface Input {
  name: 'plain' | 'hostile-names' | 'hostile-text';
  document: string;
  model: SdkModel;
}

const nodes = 20;

/** Generates SDKs with all parties from friendly and hostile input, and checks them with the compilers and linters of their languages. */
export async function runChecks(parties: Parties, say: (text: string) => void): Promise<Checked> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-checks-'));
  try {
    return await checkIn(folder, parties, say);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkIn(folder: string, parties: Parties, say: (text: string) => void): Promise<Checked> {
  const inputs = await writeInputs(folder);
  const cache = path.join(parties.cache, 'checks');
  await mkdir(cache, { recursive: true });
  const rows: CheckedRow[] = [];
  const absent: string[] = [];
  for (const check of languageChecks) {
    for (const language of check.languages.filter((id) => parties.languages.includes(id))) {
      for (const [generator, generate] of generatorsOf(language, parties)) {
        say(`checks: ${language}, ${generator}`);
        const verdicts = new Map<Input['name'], Verdict>();
        for (const input of inputs) {
          const output = path.join(
            folder,
            `${language} ${generator} ${input.name}`.replaceAll(/[^A-Za-z0-9]+/g, '-'),
          );
          try {
            await generate(input, output);
          } catch {
            // The output of a failed generator does not compile.
            verdicts.set(input.name, { compiles: false, warnings: undefined });
            continue;
          }
          try {
            verdicts.set(input.name, check.check(output, cache));
          } catch (error) {
            const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
            absent.push(`${generator}, ${language}, ${input.name} (${why.slice(0, 160)})`);
          }
        }
        rows.push({
          language,
          generator,
          plain: verdicts.get('plain'),
          hostileNames: verdicts.get('hostile-names')?.compiles,
          hostileText: verdicts.get('hostile-text')?.compiles,
        });
      }
    }
  }
  return { nodes, rows, absent };
}

async function writeInputs(folder: string): Promise<Input[]> {
  const plain = path.join(folder, 'plain.json');
  await writeDocument(nodes, plain);
  const inputs: Input[] = [
    { name: 'plain', document: plain, model: createVersionModels().modelOf(await largeSource(nodes)) },
  ];
  for (const name of ['hostile-names', 'hostile-text'] as const) {
    const document = path.join(folder, `${name}.json`);
    await writeFixtureDocument(name, document);
    inputs.push({ name, document, model: await loadSdkFixture(name) });
  }
  return inputs;
}

type Generate = (input: Input, output: string) => Promise<void>;

/** Our generator, those of that language only, and openapi-generator. */
function generatorsOf(language: string, { peers, openapiGenerator, cache }: Parties): Map<string, Generate> {
  const generators = new Map<string, Generate>([
    ['svc', ({ model }, output) => writeOwn(language, model, output)],
  ]);
  for (const peer of peers.filter((each) => each.language === language)) {
    generators.set(peer.name, async ({ document }, output) => {
      runProgram(peer.command(cache, document, output));
      await Promise.resolve();
    });
  }
  if (openapiGenerator && openapiGeneratorLanguages([language]).length > 0) {
    generators.set(generatorTitle(language), async ({ document }, output) => {
      const { files } = await writeGeneratorConfigs([language], document, path.dirname(output));
      const config = files.get(language) ?? '';
      runProgram({
        ...generateCommand(cache, config),
        args: [...generateCommand(cache, config).args, '-o', output],
      });
    });
  }
  return generators;
}

async function writeOwn(id: string, model: SdkModel, output: string): Promise<void> {
  const { language, templates } = await loadLanguage(id);
  for (const file of await sdkFiles(model, language, templates)) {
    const target = path.join(output, file.path);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, file.content);
  }
}
