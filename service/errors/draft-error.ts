/**
 * An invalid message draft. `place` is its path within the request, for example `output.fields.lines.message`. The route decides
 * the HTTP status.
 */
export class DraftError extends Error {
  override readonly name = 'DraftError';

  constructor(place: string, problem: string) {
    super(`${keepEnd(place)}: ${problem}`);
  }
}

/** Places contain names chosen by the caller, so their length is limited. */
const maxPlaceLength = 1000;

function keepEnd(place: string): string {
  return place.length > maxPlaceLength ? `...${place.slice(-maxPlaceLength)}`.toWellFormed() : place;
}
