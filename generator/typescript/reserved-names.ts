/** Words that cannot name a binding in an ES module of strict code. */
const keywords =
  'abstract any arguments as asserts async await bigint boolean break case catch class const continue constructor debugger ' +
  'declare default delete do else enum eval export extends false finally for from function get global if implements import ' +
  'in infer instanceof interface intrinsic is keyof let module namespace never new null number object of out override ' +
  'package private protected public readonly require return satisfies set static string super switch symbol this throw ' +
  'true try type typeof undefined unique unknown using var void while with yield';

/** Globals that generated code names, or that a program which imports everything would miss. */
const globals =
  'AbortController AbortSignal Array ArrayBuffer Awaited BigInt Boolean Buffer DataView Date Error EvalError Exclude Extract ' +
  'Function Headers Infinity Intl Iterable Iterator JSON Map Math NaN NonNullable Number Object Omit Parameters Partial Pick ' +
  'Promise PromiseLike Proxy RangeError Readonly Record ReferenceError Reflect RegExp Request Required Response ReturnType ' +
  'Set String Symbol SyntaxError TypeError URIError URL Uint8Array WeakMap WeakSet console crypto exports fetch globalThis ' +
  'isFinite isNaN parseFloat parseInt process structuredClone';

/** What the generated modules import, declare or export beside the names of a model. */
const runtime =
  'AnyMessage AnyMessageType Answer AnswerEvent Call CallOptions CallResult Case ClientOptions Codec Connection EnumType EnumValue ' +
  'FailureEvent Fetch FetchAnswer FetchInit Field FieldType FromJsonOptions Input JsonObject JsonValue LogEvent Logger ' +
  'MapKey MessageType NodeOperation OpenEnum RequestEvent RetryEvent RootType UnknownFields WellKnownType ' +
  'connect connection fromJson input invokeNode messages operations options scalar sdk toJson wellKnown ' +
  'anyType boolValueType bytesValueType doubleValueType durationType emptyType fieldMaskType floatValueType int32ValueType ' +
  'int64ValueType listValueType stringValueType structType timestampType uInt32ValueType uInt64ValueType valueType';

const errors =
  'AbortedError AppKeyGraphDeniedError BadRequestError ConfigurationError ConnectionError ErrorDetails ForbiddenError ' +
  'InterruptedAnswerError InvalidAnswerError NodeFailedError NotFoundError PayloadTooLargeError QuotaExceededError ' +
  'RateLimitedError ServerError StatusError SvcError TenantSuspendedError TimedOutError UnauthorizedError ' +
  'UpstreamUnavailableError ValueError';

/** Members that every object has, or that change what a client is: one with `then` is taken for a promise. */
const members =
  'constructor hasOwnProperty isPrototypeOf propertyIsEnumerable prototype then catch finally toJSON toLocaleString toString ' +
  'valueOf __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__';

/** What tests, examples and snippets declare. */
const programs = 'assert client describe error it output request sample server testKey withServer';

/** Names that no symbol of a model may take, in any position. */
export const reservedNames: ReadonlySet<string> = new Set(
  [keywords, globals, runtime, errors, members, programs].flatMap((list) => list.split(' ')),
);
