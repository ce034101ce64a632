/**
 * Reports whether a header such as `Accept` or `Accept-Encoding` names a value and does not exclude it by `;q=0`. Case does not matter.
 * A range such as `text/*` names no type.
 */
export function accepts(header: string | string[] | undefined, value: string): boolean {
  return String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(([name, ...parameters]) => name === value && !parameters.some(isWeightZero));
}

function isWeightZero(parameter: string): boolean {
  return /^q=0(?:\.0*)?$/.test(parameter);
}
