import type { PythonVenv } from '../../../support/python-venv.ts';

/** Options of mypy. */
export function mypyStrict(venv: PythonVenv): string[] {
  return [
    '--strict',
    '--python-version',
    '3.10',
    '--python-executable',
    venv.python,
    '--cache-dir=/dev/null',
  ];
}

/** A program that imports every module of the archive in its folder, checks the attributes of each type, and reads all annotations. */
export const importEverything = `
import importlib, inspect, pathlib, sys, typing
[package] = pathlib.Path(sys.argv[1], "src").iterdir()
sys.path.insert(0, str(package.parent))
for path in sorted(package.rglob("*.py")):
    module = ".".join(path.relative_to(package.parent).with_suffix("").parts)
    importlib.import_module(module.removesuffix(".__init__"))
messages = importlib.import_module(package.name + ".messages")
base = importlib.import_module(package.name).Message
for value in vars(messages).values():
    if isinstance(value, type) and issubclass(value, base) and value is not base:
        assert value.from_json("{}") == value(), value
        assert value().to_json() == "{}", value
        assert len({field.attribute for field in value._fields()}) == len(value._fields()), value
client = importlib.import_module(package.name + ".client")
sdk = importlib.import_module(package.name)
for module in (sdk, client, messages):
    for name, owner in vars(module).items():
        is_public = name in sdk.__all__ or getattr(owner, "__module__", "") == module.__name__
        if is_public and isinstance(owner, type):
            typing.get_type_hints(owner)
            for name, method in inspect.getmembers(owner, inspect.isfunction):
                if name == "__init__" or not name.startswith("_"):
                    typing.get_type_hints(method)
`;
