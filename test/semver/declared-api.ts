import { Project, type SourceFile, SyntaxKind, type TypeElementMemberedNode, type TypeNode } from 'ts-morph';

/** The API of declaration files: the text of each declaration by its name. Members are listed below their type. */
export type DeclaredApi = ReadonlyMap<string, string>;

const emptyMessage = 'Record<string, never>';

/** Reads the exports of declaration files, given by path. Types are compared as text and not resolved. */
export function declaredApi(files: ReadonlyMap<string, string>): DeclaredApi {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const api = new Map<string, string>();
  for (const [path, text] of files) readFile(project.createSourceFile(path, text), api);
  return api;
}

function readFile(file: SourceFile, api: Map<string, string>): void {
  for (const each of file.getExportDeclarations())
    for (const name of each.isNamespaceExport() ? ['*'] : each.getNamedExports().map((one) => one.getText()))
      api.set(`export ${name} from ${each.getModuleSpecifierValue() ?? ''}`, '');
  for (const each of file.getInterfaces()) {
    api.set(`interface ${each.getName()}`, heading(each));
    readMembers(each.getName(), each, api);
  }
  for (const each of file.getTypeAliases()) {
    const text = each.getTypeNodeOrThrow().getText();
    // A message without fields becomes an interface when it gets its first field.
    if (text === emptyMessage) api.set(`interface ${each.getName()}`, '');
    else api.set(`type ${each.getName()}`, text);
  }
  for (const each of file.getFunctions())
    api.set(`function ${each.getName() ?? ''}`, signature(each.getParameters(), each.getReturnTypeNode()));
  for (const each of file.getVariableDeclarations()) readVariable(each.getName(), each.getTypeNode(), api);
  for (const each of file.getClasses()) {
    const name = each.getName() ?? '';
    api.set(`class ${name}`, '');
    for (const own of each.getConstructors()) api.set(`new ${name}`, signature(own.getParameters()));
    for (const own of each.getMethods())
      api.set(`${name}.${own.getName()}`, signature(own.getParameters(), own.getReturnTypeNode()));
    for (const own of each.getProperties())
      api.set(`${name}.${own.getName()}`, own.getTypeNode()?.getText() ?? '');
  }
}

/** Tables are object types. Each property counts as a member. */
function readVariable(name: string, type: TypeNode | undefined, api: Map<string, string>): void {
  const literal = type?.asKind(SyntaxKind.TypeLiteral);
  if (literal === undefined) {
    api.set(`const ${name}`, type?.getText() ?? '');
    return;
  }
  api.set(`const ${name}`, '{}');
  for (const property of literal.getProperties())
    readVariable(`${name}.${property.getName()}`, property.getTypeNode(), api);
}

function readMembers(name: string, type: TypeElementMemberedNode, api: Map<string, string>): void {
  for (const property of type.getProperties()) {
    const mark = property.hasQuestionToken() ? '?' : '';
    api.set(`${name}.${property.getName()}`, `${mark}: ${property.getTypeNodeOrThrow().getText()}`);
  }
}

function heading(each: {
  getTypeParameters(): { getText(): string }[];
  getExtends(): { getText(): string }[];
}): string {
  return [...each.getTypeParameters(), ...each.getExtends()].map((part) => part.getText()).join();
}

function signature(parameters: readonly { getText(): string }[], returned?: TypeNode): string {
  return `(${parameters.map((each) => each.getText()).join(', ')}): ${returned?.getText() ?? ''}`;
}
