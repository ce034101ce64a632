/** The headers of a request. Names are lower-case. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;
