/**
 * Reports whether the header `Accept` names a media type and does not exclude it by `;q=0`. A range such as `text/*` names no type.
 */
export function acceptsType(accept: string | string[] | undefined, type: string): boolean {
  return String(accept ?? '')
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(([name, ...parameters]) => name === type && !parameters.some(isWeightZero));
}

function isWeightZero(parameter: string): boolean {
  return /^q=0(?:\.0*)?$/.test(parameter);
}
