import path from 'node:path';
import type { LanguageCheck } from './language-check.ts';
import { countLines, runTool } from './run-tool.ts';

export const rustCheck: LanguageCheck = {
  languages: ['rust'],
  tools: 'Rust: clippy with its defaults',
  check(folder, cache) {
    const env = {
      ...{ CARGO_TARGET_DIR: path.join(cache, 'rust'), CARGO_INCREMENTAL: '0', CARGO_PROFILE_DEV_DEBUG: '0' },
      CARGO_TERM_COLOR: 'never',
    };
    const run = runTool('cargo', ['clippy', '--quiet', '--message-format', 'short'], folder, env);
    return run.passed
      ? { compiles: true, warnings: countLines(run.output, /: warning: /) }
      : { compiles: false, warnings: undefined };
  },
};
