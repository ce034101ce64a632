// Marks the folder as CommonJS. The package is otherwise ES modules.
import { writeFileSync } from "node:fs";

writeFileSync(
  new URL("../dist/cjs/package.json", import.meta.url),
  '{ "type": "commonjs" }\n',
);
