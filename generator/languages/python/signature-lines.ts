import { lineWidth } from './line-width.ts';

/** Returns `message: Word | _json.Unset = _json.UNSET`, broken as ruff would break it. `None` is not a message. */
export function optionalParameter(name: string, annotation: string): string {
  const optional = '| _json.Unset = _json.UNSET';
  const flat = `${name}: ${annotation} ${optional}`;
  return 8 + flat.length + 1 <= lineWidth ? flat : `${name}: ${annotation}\n        ${optional}`;
}

/** Returns `Iterable[_messages.Word]` of the parameter `messages`, broken as ruff would break it. */
export function parameterType(generic: string, type: string): string {
  const flat = `${generic}[${type}]`;
  return 8 + `messages: ${flat},`.length <= lineWidth ? flat : `${generic}[\n            ${type}\n        ]`;
}

/** Returns the text between the brackets of `**given: Unpack[...]`, on its own line if ruff would break them. */
export function unpacked(type: string): string {
  const fits = 8 + `**given: Unpack[${type}],`.length <= lineWidth;
  return fits ? type : `\n            ${type}\n        `;
}

/** Returns `RawResponse[Words]`, broken where ruff breaks a return annotation that is too long. */
export function returned(
  generics: readonly string[],
  output: string,
  margin = '    ',
  isOutermost = true,
): string {
  const [outer, ...inner] = generics;
  if (outer === undefined) return output;
  const flat = `${generics.join('[')}[${output}${']'.repeat(generics.length)}`;
  const around = isOutermost ? `${margin}) -> :` : margin;
  if (around.length + flat.length <= lineWidth) return flat;
  const deeper = `${margin}    `;
  return `${outer}[\n${deeper}${returned(inner, output, deeper, false)}\n${margin}]`;
}

/** Returns an annotation of a result without brackets. Ruff puts it into parentheses if it then fits. */
export function returnedName(name: string, margin = '    '): string {
  const isTooLong = `${margin}) -> ${name}:`.length > lineWidth;
  const fitsBelow = `${margin}    ${name}`.length <= lineWidth;
  return isTooLong && fitsBelow ? `(\n${margin}    ${name}\n${margin})` : name;
}

/** Returns `SplitStream[Line, Words]`, broken where ruff breaks a return annotation that is too long. */
export function returnedPair(generic: string, first: string, second: string): string {
  const flat = `${generic}[${first}, ${second}]`;
  if ('    ) -> :'.length + flat.length <= lineWidth) return flat;
  const line = `        ${first}, ${second}`;
  return line.length <= lineWidth
    ? `${generic}[\n${line}\n    ]`
    : `${generic}[\n        ${first},\n        ${second},\n    ]`;
}
