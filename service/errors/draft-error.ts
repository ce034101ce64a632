/**
 * A message draft that cannot become a message. `place` leads to it through the request (`output.fields.lines.message`); what
 * answers depends on the route, so no status stands here.
 */
export class DraftError extends Error {
  override readonly name = 'DraftError';

  constructor(place: string, problem: string) {
    super(`${shorten(place)}: ${problem}`);
  }
}

/** Places are made of names that callers chose; no answer grows with them. */
const maxPlaceLength = 1000;

function shorten(place: string): string {
  return place.length > maxPlaceLength ? `...${place.slice(-maxPlaceLength)}`.toWellFormed() : place;
}
