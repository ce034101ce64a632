/** Columns of a line, as ruff formats by default. */
export const lineWidth = 88;
