/** Words that cannot name a function in an ES module, or in its CommonJS form. */
const keywords =
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
  'finally for function if implements import in instanceof interface let new null package private protected public return ' +
  'static super switch this throw true try typeof undefined var void while with yield exports module require';

/** Globals that a program which imports everything would lose, including those that generated code uses. */
const globals =
  'AbortController AbortSignal Array ArrayBuffer Awaited BigInt Boolean Buffer DataView Date Error EvalError Exclude Extract ' +
  'Function Headers Infinity Intl Iterable Iterator JSON Map Math NaN NonNullable Number Object Omit Parameters Partial Pick ' +
  'Promise PromiseLike Proxy RangeError Readonly Record ReferenceError Reflect RegExp Request Required Response ReturnType ' +
  'Set String Symbol SyntaxError TypeError URIError URL Uint8Array WeakMap WeakSet globalThis';

/** Imports and exports of the generated modules in addition to the names of a model. */
const runtime =
  'AnyMessage AnyMessageType Beacon BeaconPage BudgetEmptyEvent ByteArray Call CallOptions CallResult Case ClientOptions Codec Connection Credentials EnumType ' +
  'EnumValue EventOptions EventType Execution ExecutionEvent ExecutionRecord ExecutionStatus FailureEvent Fetch FetchInit FetchResponse ' +
  'Decision Field FieldType ForkOptions FrameStream FromJsonOptions Input JsonObject JsonValue LiveSession LogEvent ' +
  'Logger MapKey MessageType OpenEnum Pause PauseDecision PauseOptions PauseStatus RawResponse RequestEvent RequestHeaders ResponseBody ResponseEvent ResumedPause ResumeOptions RetryEvent OutputOptions RootType SplitStream SplitUpload StreamedInput TimestampText TokenProvider UnknownFields UnknownName UploadBody WebSocketConstructor WebSocketEvent WebSocketLike ' +
  'WellKnownType callOf connect createStream decisionOf execution fromJson invokeNode isSvcError listPauses openLive runFlow startFlow streamFlow streamNode streamOf toJson uploadToNode warmFlow ' +
  'anyType boolValueType bytesValueType doubleValueType durationType emptyType fieldMaskType floatValueType int32ValueType ' +
  'int64ValueType listValueType stringValueType structType timestampType uInt32ValueType uInt64ValueType valueType';

const errors =
  'AbortedError AppKeyGraphDeniedError BadRequestError ConfigurationError ConnectionError ErrorDetails ' +
  'FlowFailedError FlowPausedError ForbiddenError IdempotencyMismatchError InterruptedResponseError InvalidResponseError NodeFailedError NotFoundError ' +
  'PayloadTooLargeError QuotaExceededError RateLimitedError ServerError StatusError StreamInterruptedError SvcError TenantSuspendedError TimedOutError UnauthorizedError ' +
  'UpstreamUnavailableError ValueError WaitTimedOutError';

/** Members of a client, and members that change its meaning: JavaScript treats an object with `then` as a promise. */
const members =
  'beacon connection constructor dispose hasOwnProperty isPrototypeOf propertyIsEnumerable prototype then toJSON toLocaleString toString ' +
  'valueOf __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__';

/** Names that no symbol of a model may take: everything that the package exports shares one scope. */
export const reservedNames: ReadonlySet<string> = new Set(
  [keywords, globals, runtime, errors, members].flatMap((list) => list.split(' ')),
);
