import { listLanguages, loadLanguage } from '../../service/languages/load-language.ts';

/** Words with a meaning in a language, in its standard library, or in the code of an SDK. */
export interface HostileWords {
  /** ASCII identifiers: names that a proto may give to fields, types and values. */
  identifiers: readonly string[];
  /** Arbitrary texts: aliases that a tenant may give to members. */
  texts: readonly string[];
}

const keywords = words(`
  abstract alignas and any as asm assert async auto await base become bool boolean box break byte case catch chan char checked
  class cls const constructor continue crate debugger decimal declare def default defer del delegate delete do double dyn elif
  else enum event except exec explicit export extends extern fallthrough false False final finally fixed float fn for foreach
  from func function gen get global go goto if impl implements implicit import in infer init inline instanceof int interface
  internal is keyof lambda let lock long loop macro make map match mod module move mut namespace native never new None nonlocal
  not null object of operator or out override package params partial pass permits print priv private protected public pub
  raise range readonly record ref require required return satisfies sbyte sealed select self Self set short sizeof stackalloc
  static strictfp string struct super switch symbol synchronized target this throw throws trait transient transitive true True
  try type typeof uint ulong unchecked undefined union unique unknown unsafe unsized ushort use using value var virtual void
  volatile when where while with yield yields`);

const preludes = words(`
  Array ArrayBuffer Boolean Box Buffer Class Clone Comparable Console Copy Date Debug Default Deprecated Drop Duration Eq Err
  Error Exception File Fn From Func Function Future Generic Guid HashMap Hash Infinity Instant Integer Into Iterable Iterator
  JSON List Long Map Math Message NaN Number Object Ok Option Optional Override Pin Promise Protocol Proxy Record Reflect
  RegExp Request Response Result Send Set Some Stream String StringBuilder Struct Symbol Sync System Task Thread Timestamp
  Tuple Type TypeVar Uint8Array Unit Value Vec Void append arguments bytes cap clear clone close cmp complex copy dataclass
  dict dir equals error eval exit field fields filter finalize format from_json fromJson getClass globalThis hash hashCode hasOwnProperty
  help id input int64 iota isinstance iter len list main max min name next nil notify object open panic precision prototype
  print property recover repr reversed rune slice sorted str sum then toJson to_json toString toJSON tuple type uint8 unwrap
  uuid valueOf wait window __init__ __new__ __slots__ __class__ __dict__ __proto__ __eq__ __name__ __file__ _ __ ___ _1 a1 A
  x y e i n r ctx err ok svc sdk http json io os re fmt std core alloc tokio serde serde_json futures reqwest httpx typing
  client Client AsyncClient ApiError APIError Execution Options Option With messages Messages calls operations members types
  index test tests src lib mod examples runtime connection transport`);

/** Texts that are not identifiers, are identifiers only in some languages, or equal another one after case folding. */
const oddTexts = [
  ...[
    'é',
    'e\u0301',
    'ﬁle',
    'file',
    'ℌello',
    'Hello',
    'ſet',
    'set',
    'K',
    'K',
    'Å',
    'Å',
    'A\u030a',
    'ᵃ',
    'ª',
    'x²',
    'x2',
  ],
  ...[
    'straße',
    'strasse',
    'STRASSE',
    'İstanbul',
    'istanbul',
    'ıstanbul',
    'ς',
    'σ',
    'Σ',
    'ß',
    'ẞ',
    'ss',
    'ǆ',
    'ǅ',
    'Ǆ',
  ],
  ...[
    '中文',
    '日本',
    '한국어',
    'שלום',
    'سلام',
    'हिन्दी',
    'ไทย',
    'Ж',
    'ж',
    'Ω',
    'Ω',
    'ω',
    '١٢٣',
    '３d',
    '3d',
    '1',
    '007',
    '-1',
  ],
  ...[
    '👩‍👩‍👧',
    '👩',
    '☕',
    '🇩🇪',
    '\u200d',
    '\u200c',
    'a\u200db',
    'ab',
    '\u202eevil',
    'ev\u2066il',
    '\ufeffbom',
    'soft\u00adhyphen',
  ],
  ...[
    'a b',
    'a-b',
    'a_b',
    'a.b',
    'a/b',
    'a\\b',
    '../up',
    '..',
    '.',
    '/',
    'C:',
    'con',
    'NUL',
    'aux.txt',
    'com1',
    '~',
    '*',
    '?',
  ],
  ...[
    '*/',
    '/*',
    '//',
    '"""',
    "'''",
    '`',
    '${x}',
    '{{x}}',
    '#{x}',
    '%s',
    '\\',
    '\\u002a/',
    '"',
    "'",
    '<b>',
    ']]>',
    '--',
    '-->',
  ],
  ...[
    'a\nb',
    'a\r\nb',
    'a\u2028b',
    '\t',
    ' ',
    '  a',
    'a ',
    '\u00a0',
    '\u3000',
    '$',
    '$$',
    '@',
    '@a',
    '#',
    '!',
    '&',
    '\u0301',
  ],
  ...[
    '𝒜',
    '𝟙',
    'a'.repeat(80),
    'very long alias that goes on '.repeat(6).trim(),
    'x_'.repeat(40),
    '_',
    '__',
    '___',
    'a__b',
  ],
];

let reading: Promise<HostileWords> | undefined;

/** Returns the words of all languages. Reads their runtimes and templates, so that additions there are covered too. */
export function hostileWords(): Promise<HostileWords> {
  reading ??= readWords();
  return reading;
}

async function readWords(): Promise<HostileWords> {
  const sources = await Promise.all((await listLanguages()).map(readSources));
  const own = new Set(sources.flat().flatMap(namesIn));
  const identifiers = [...new Set([...keywords, ...preludes, ...keywords, ...own])].sort();
  return { identifiers, texts: [...identifiers, ...oddTexts, ...oddTexts, ...oddTexts, ...oddTexts] };
}

async function readSources(id: string): Promise<string[]> {
  const { templates } = await loadLanguage(id);
  const runtime = [...templates.runtime]
    .filter(([path]) => !/(^|\/)tests?\//.test(path))
    .map(([, content]) => new TextDecoder().decode(content).match(declarations)?.join(' ') ?? '');
  return [...runtime, ...templates.sdk.values(), ...templates.parts.values()];
}

/** Returns the declarations of the runtime, and every word of the templates, which print them beside a tenant's names. */
const declarations =
  /\b(?:class|const|def|enum|fn|func|function|interface|let|mod|module|namespace|record|static|struct|trait|type|var)\s+(?:\([^()\n]*\)\s*)?[A-Za-z_]\w*/g;

function namesIn(source: string): string[] {
  return source.match(/\b[A-Za-z_][A-Za-z0-9_]{0,29}\b/g) ?? [];
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
