/** Words that Rust reserves, including those of later editions. */
export const keywords = words(`
  Self abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if impl
  in let loop macro match mod move mut override priv pub ref return self static struct super trait true try type typeof
  unsafe unsized use virtual where while yield`);

/** Keywords that cannot be written as raw identifiers. */
const neverRaw = words('Self crate self super');

/** The prelude of the standard library, and imports of `messages.rs`. */
const preludeTypes = words(`
  AsMut AsRef BTreeMap Box Clone Copy Debug Default DoubleEndedIterator Drop Eq Err ExactSizeIterator Extend Fn FnMut FnOnce
  From FromIterator Future Hash Into IntoFuture IntoIterator Iterator None Ok Option Ord PartialEq PartialOrd Result Send Sized
  Some String Sync ToOwned ToString TryFrom TryInto Unpin Vec`);

/**
 * Methods of the client, including future ones; `cmp`, which clippy reads as an ordering; and those of the traits `Into` and
 * `TryInto`, which take the client by value and would be called instead.
 */
const clientMethods = words(`
  any_execution builder call clone cmp create_stream events execution executions find_stream follow into new open_session
  over pauses resume run start stream stream_flow stream_node try_into upload warm`);

/** Crates that a program in `examples/` uses, in addition to the SDK itself. */
const crates = words(
  'alloc base64 bytes chrono core futures http jiff proc_macro reqwest rustls serde serde_json std test tokio tokio_tungstenite tracing',
);

/** Names that Windows reserves for devices in every folder, with any extension. */
const devices = words(`
  aux con nul prn com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9`);

/** Messages have a constructor `new`, which clippy refuses in a type `New`. */
export const reservedForTypes: ReadonlySet<string> = new Set(['New', 'Self', ...preludeTypes]);

export const reservedForFields: ReadonlySet<string> = neverRaw;

/** Each enum has a variant for undeclared values. */
export const reservedForVariants: ReadonlySet<string> = new Set(['Self', 'Unknown']);

export const reservedForCases: ReadonlySet<string> = new Set(['Self']);

export const reservedForCalls: ReadonlySet<string> = new Set([...neverRaw, ...clientMethods]);

export const reservedForExamples: ReadonlySet<string> = new Set([...keywords, ...crates, ...devices]);

/** Returns a name as an identifier: a keyword becomes `r#type`. */
export function identifier(name: string): string {
  return keywords.has(name) ? `r#${name}` : name;
}

/** Returns a name without the `r#` that makes a keyword an identifier. */
export function bareName(name: string): string {
  return name.replace(/^r#/, '');
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
