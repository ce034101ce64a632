// Bundles the modules of build/iife into a classic script with one global:
// node scripts/bundle.js <name of the global>
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const compiled = new URL("../build/iife/", import.meta.url);
const target = new URL("../dist/iife/", import.meta.url);
const globalName = String(process.argv[2]);

const modules = readdirSync(compiled, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".js"))
  .sort()
  .map((file) => {
    const code = readFileSync(new URL(file, compiled), "utf8");
    return `"/${file}"(exports, require) {\n${code}},\n`;
  });

const script = `var ${globalName} = (() => {
const modules = {
${modules.join("")}};
const loaded = {};
const load = (path) => {
if (path in loaded) return loaded[path];
const exports = (loaded[path] = {});
const require = (name) => load(new URL(name, "file://" + path).pathname);
modules[path](exports, require);
return exports;
};
return load("/index.js");
})();
`;

mkdirSync(target, { recursive: true });
writeFileSync(new URL("index.js", target), script);
