/** Types of the namespaces that new programs import by themselves: a message of the same name would be ambiguous there. */
const implicitlyImported = (
  'Action Activator AggregateException AppContext AppDomain ArgumentException Array Attribute Barrier BinaryReader BitConverter ' +
  'Boolean Buffer Byte CancellationToken CancellationTokenSource Char Comparer Comparison Console Convert DateOnly DateTime ' +
  'DateTimeKind DateTimeOffset DayOfWeek DBNull Decimal Delegate Dictionary Directory DirectoryInfo Double Enum Enumerable ' +
  'Environment EventArgs EventHandler Exception File FileAccess FileInfo FileMode FileStream Func GC Guid Half HashCode HashSet ' +
  'HttpClient HttpContent HttpMethod HttpRequestMessage HttpResponseMessage Index Int16 Int32 Int64 Interlocked IntPtr Lazy ' +
  'LinkedList List Lock Lookup Math Memory MemoryStream Monitor Mutex Nullable Object Parallel Path Predicate Progress ' +
  'PriorityQueue Queue Random Range ReadOnlyMemory SByte Semaphore SemaphoreSlim Single SortedList SortedSet Span Stack Stream ' +
  'StreamReader StreamWriter String StringComparer StringComparison StringContent StringReader StringWriter Task TaskFactory ' +
  'TaskScheduler Thread ThreadPool TimeOnly TimeProvider Timeout Timer TimeSpan TimeZoneInfo Tuple Type UInt16 UInt32 UInt64 ' +
  'UIntPtr Uri UriBuilder ValueTask ValueTuple ValueType Version Void Volatile WeakReference'
).split(' ');

/** Public types of the runtime. */
const runtimeTypes = (
  'ApiResponse AppKeyGraphDeniedException BadRequestException CallOptions CallTimeoutException Client ClientOptions Codec ' +
  'ConfigurationException ConnectionException Duration Empty EventFilter Execution ExecutionEvent ExecutionRecord FieldMask ' +
  'FlowFailedException FlowPausedException ForbiddenException InterruptedAnswerException InvalidAnswerException LogEvent ' +
  'LogEventKind NodeFailedException NotFoundException NullValue PayloadTooLargeException ProtoJson QuotaExceededException ' +
  'RateLimitedException RawClient ServerException StatusException SvcException TenantSuspendedException Timestamp ' +
  'UnauthorizedException UpstreamUnavailableException Value ValueException WaitTimeoutException'
).split(' ');

/** What the source of messages names beside them. */
const usedByMessages = (
  'EnumTable Fields IMessage IOpenEnum IReadOnlyDictionary IReadOnlyList JsonArray JsonObject MapKeys MessageType Obsolete ' +
  'ObsoleteAttribute ReadOnlyDictionary System'
).split(' ');

/** Members of every object. */
const inherited = [
  'Equals',
  'Finalize',
  'GetHashCode',
  'GetType',
  'MemberwiseClone',
  'ReferenceEquals',
  'ToString',
];

/** Names of types that an identifier should not have (https://learn.microsoft.com/dotnet/fundamentals/code-analysis/quality-rules/ca1720). */
const typeWords = (
  'Bool Boolean Byte Char Date Decimal Double Float Guid Int Int8 Int16 Int32 Int64 Integer Long Obj Object Ptr Pointer SByte ' +
  'Short Signed Single String UInt UInt8 UInt16 UInt32 UInt64 ULong UShort Unsigned UIntPtr IntPtr'
).split(' ');

/** No type of a message or enum has one of these names. */
export const reservedForTypes: ReadonlySet<string> = new Set([
  ...implicitlyImported,
  ...runtimeTypes,
  ...usedByMessages,
  ...typeWords,
]);

/** Members of every message, and what its source names; the type's own name comes to these. */
export const reservedForFields: ReadonlySet<string> = new Set([
  ...inherited,
  ...typeWords,
  ...['Clone', 'Deconstruct', 'Descriptor', 'EqualityContract', 'PrintMembers'],
  ...['Fields', 'FromJson', 'MapKeys', 'ProtoJson', 'ReadOnlyDictionary', 'ToJson'],
]);

/** Members of every enum; the type's own name comes to these. */
export const reservedForValues: ReadonlySet<string> = new Set([
  ...inherited,
  ...typeWords,
  ...['Deconstruct', 'Name', 'Number', 'PrintMembers'],
]);

/** What the methods of a member cannot be called after, beside those that end in `Async` for another reason. */
export const reservedForCalls: ReadonlySet<string> = new Set([
  ...inherited,
  ...typeWords,
  ...['Calls', 'Dispose', 'ProtoJson', 'Warm'],
]);

/** Parts of a namespace that would hide what the SDK or its users name. */
export const reservedForNamespaces: ReadonlySet<string> = new Set([
  ...implicitlyImported,
  ...runtimeTypes,
  ...usedByMessages,
  ...typeWords,
  ...[
    'Answers',
    'ApiKey',
    'Calls',
    'Connection',
    'Field',
    'LogicalCall',
    'Messages',
    'Settings',
    'Slot',
    'Xunit',
  ],
  ...['Examples', 'Internal', 'Microsoft', 'Tests', 'Windows'],
]);

/** Folders of a build, and devices of Windows. */
export const reservedForExamples: ReadonlySet<string> = new Set([
  ...['bin', 'obj', 'aux', 'con', 'nul', 'prn'],
  ...Array.from({ length: 10 }, (_, index) => [`com${index}`, `lpt${index}`]).flat(),
]);
