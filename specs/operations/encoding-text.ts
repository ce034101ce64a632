/** Returns the text for a request body with a `Content-Encoding` other than `identity`. */
export function unsupportedEncodingText(encoding: string): string {
  return `Content-Encoding "${encoding}" is not supported: send the body uncompressed, without this header`;
}
