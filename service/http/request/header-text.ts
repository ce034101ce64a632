/** Returns the text of a header, the first one if it was sent several times. An empty header counts as absent. */
export function headerText(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text === '' ? undefined : text;
}
