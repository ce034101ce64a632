const languageFile = /^generator\/languages\/([^/]+)\.ts$/;
const templateFolder = /^templates\/([^/]+)\//;

/** Of `templates/`, what belongs to no single language. */
const forAll = ['documents'];

/** A language is a file of `generator/languages` and a folder of `templates` of the same name, and none is half there. */
export function languages(files: readonly string[]): string[] {
  const computed = namesIn(files, languageFile);
  const printed = namesIn(files, templateFolder).filter((id) => !forAll.includes(id));
  return [
    ...without(computed, printed).map((id) => `generator/languages/${id}.ts has no folder templates/${id}`),
    ...without(printed, computed).map((id) => `templates/${id} has no file generator/languages/${id}.ts`),
  ];
}

function namesIn(files: readonly string[], pattern: RegExp): string[] {
  return [...new Set(files.flatMap((file) => pattern.exec(file)?.slice(1, 2) ?? []))];
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name));
}
