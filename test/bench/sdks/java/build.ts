import { readdirSync } from 'node:fs';
import path from 'node:path';
import { runJava } from '../../../support/java-tools.ts';
import type { SdkBench } from '../sdk-bench.ts';

export const sdkBench: SdkBench = {
  toolchain: 'java',
  bareClient: 'java.net.http',
  async build(archive) {
    const sources = path.join(archive, 'src/main/java');
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.java') && !file.endsWith('-info.java'))
      .map((file) => path.join(sources, file));
    const program = path.join(import.meta.dirname, 'Bench.java');
    const { code, output } = await runJava('javac', ['-d', 'bench', ...files, program], archive);
    if (code !== 0) throw new Error(`the Java benchmark does not compile:\n${output}`);
    return { program: 'java', args: ['--class-path', 'bench', 'Bench'], cwd: archive };
  },
};
