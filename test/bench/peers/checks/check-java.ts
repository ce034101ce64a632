import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LanguageCheck } from './language-check.ts';
import { countLines, requireTool, runTool } from './run-tool.ts';

export const javaCheck: LanguageCheck = {
  languages: ['java'],
  tools: 'Java: javac -Xlint:all',
  check(folder) {
    const sources = path.join(folder, 'src/main/java');
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.java'),
    );
    const list = path.join(folder, 'sources.txt');
    writeFileSync(list, files.map((file) => `"${path.join(sources, file)}"`).join('\n'));
    const libraries = path.join(folder, 'libraries');
    const own = files.includes('module-info.java');
    // Modules need their dependencies at compile time.
    if (existsSync(path.join(folder, 'pom.xml'))) {
      const wanted = [`-DincludeScope=${own ? 'provided' : 'compile'}`, `-DoutputDirectory=${libraries}`];
      requireTool('mvn', ['-q', '-B', 'dependency:copy-dependencies', ...wanted], folder);
    }
    const lint = ['-Xlint:all', '-Xmaxwarns', '100000', '-proc:none', '--release', '17'];
    const classPath = !existsSync(libraries)
      ? []
      : own
        ? ['-p', libraries]
        : ['-cp', path.join(libraries, '*')];
    const run = runTool(
      'javac',
      [...lint, '-d', path.join(folder, 'classes'), ...classPath, `@${list}`],
      folder,
    );
    return run.passed
      ? { compiles: true, warnings: countLines(run.output, /(^|: )warning: /) }
      : { compiles: false, warnings: undefined };
  },
};
