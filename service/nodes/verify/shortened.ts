const maxCharacters = 100;

/** Prepares a container's text for an error: on one line, and short. */
export function shortened(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ');
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}...` : line;
}
