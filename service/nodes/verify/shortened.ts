const maxCharacters = 100;

/** Makes a text of a container fit for an error: on one line, and short. */
export function shortened(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ');
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}...` : line;
}
