/**
 * Types in the namespaces that new programs import implicitly (`System`, its `Collections.Generic`, `IO`, `Linq`, `Net.Http`,
 * `Threading` and `Threading.Tasks` of .NET 10, and well-known generic types): a message with the same name would be ambiguous
 * there. Less well-known types are omitted if they have an ending that no message has (`misleadingEnd`).
 */
export const implicitlyImported: readonly string[] = (
  'Action Activator AggregateException ApartmentState AppContext AppDomain ApplicationId ArgumentException Array ' +
  'AsyncCallback AsyncEnumerable AsyncFlowControl Attribute AttributeTargets AutoResetEvent Barrier Base64FormattingOptions ' +
  'BinaryReader BinaryWriter BitConverter Boolean Buffer Byte ByteArrayContent CancellationToken ' +
  'CancellationTokenRegistration CancellationTokenSource Char CharEnumerator ClientCertificateOption CollectionExtensions ' +
  'Comparer Comparison ConcurrentExclusiveSchedulerPair ConfigureAwaitOptions Console ConsoleColor ConsoleKey ' +
  'ConsoleKeyInfo ConsoleModifiers ConsoleSpecialKey ContextBoundObject ContextCallback Convert CountdownEvent ' +
  'CultureAwareComparer DateOnly DateTime DateTimeKind DateTimeOffset DayOfWeek DBNull Decimal Delegate DelegatingHandler ' +
  'Dictionary Directory DirectoryInfo Double DriveInfo DriveType Enum Enumerable EnumerableQuery EnumerationOptions ' +
  'Environment EnvironmentVariableTarget EventArgs EventHandler EventResetMode EventWaitHandle Exception ExecutionContext ' +
  'File FileAccess FileAttributes FileInfo FileMode FileOptions FileShare FileStream FileStreamOptions FileStyleUriParser ' +
  'FileSystemInfo FileSystemWatcher FormattableString FormUrlEncodedContent FtpStyleUriParser Func GC GCCollectionMode ' +
  'GCGenerationInfo GCKind GCMemoryInfo GCNotificationStatus GenericUriParser GenericUriParserOptions GopherStyleUriParser ' +
  'Guid Half HandleInheritability HashCode HashSet HostExecutionContext HostExecutionContextManager HttpClient ' +
  'HttpClientHandler HttpCompletionOption HttpContent HttpKeepAlivePingPolicy HttpMessageHandler HttpMessageInvoker ' +
  'HttpMethod HttpRequestError HttpRequestMessage HttpRequestOptions HttpResponseMessage HttpStyleUriParser ' +
  'HttpVersionPolicy IAsyncDisposable IAsyncResult ICloneable IComparable IConvertible ICustomFormatter IDisposable ' +
  'IFormatProvider IFormattable Index Int128 Int16 Int32 Int64 Interlocked IntPtr IOCompletionCallback IOrderedQueryable ' +
  'IQueryable IQueryProvider IServiceProvider ISpanFormattable IThreadPoolWorkItem ITimer IUtf8SpanFormattable KeyValuePair ' +
  'Lazy LazyInitializer LazyThreadSafetyMode LdapStyleUriParser LinkedList List LoaderOptimization LocalDataStoreSlot Lock ' +
  'LockCookie LockRecursionPolicy Lookup ManualResetEvent ManualResetEventSlim MarshalByRefObject MatchCasing MatchType ' +
  'Math MathF Memory MemoryExtensions MemoryStream MessageProcessingHandler MidpointRounding ModuleHandle Monitor ' +
  'MultipartContent MultipartFormDataContent Mutex NamedWaitHandleOptions NativeOverlapped NetPipeStyleUriParser ' +
  'NetTcpStyleUriParser NewsStyleUriParser NotifyFilters Nullable Object OperatingSystem OrdinalComparer Overlapped ' +
  'Parallel ParallelEnumerable ParallelExecutionMode ParallelLoopResult ParallelLoopState ParallelMergeOptions ' +
  'ParallelOptions ParallelQuery ParameterizedThreadStart Path PeriodicTimer PlatformID PreAllocatedOverlapped Predicate ' +
  'PriorityQueue Progress Queryable Queue Random RandomAccess Range ReaderWriterLock ReaderWriterLockSlim ReadOnlyMemory ' +
  'ReadOnlyMemoryContent ReferenceEqualityComparer RegisteredWaitHandle RuntimeArgumentHandle RuntimeFieldHandle ' +
  'RuntimeMethodHandle RuntimeTypeHandle SByte SearchOption SeekOrigin Semaphore SemaphoreSlim SendOrPostCallback ' +
  'SequencePosition Single SocketsHttpConnectionContext SocketsHttpHandler SocketsHttpPlaintextStreamFilterContext ' +
  'SortedList SortedSet Span SpinLock SpinWait Stack Stream StreamContent StreamReader StreamWriter String StringComparer ' +
  'StringComparison StringContent StringNormalizationExtensions StringReader StringSplitOptions StringWriter ' +
  'SynchronizationContext Task TaskAsyncEnumerableExtensions TaskCompletionSource TaskContinuationOptions ' +
  'TaskCreationOptions TaskExtensions TaskFactory TaskScheduler TaskStatus TaskToAsyncResult TextReader TextWriter Thread ' +
  'ThreadPool ThreadPoolBoundHandle ThreadPriority ThreadStart ThreadState TimeOnly Timeout TimeProvider Timer ' +
  'TimerCallback TimeSpan TimeZone TimeZoneInfo Tuple TupleExtensions Type TypeCode TypedReference UInt128 UInt16 UInt32 ' +
  'UInt64 UIntPtr UnixFileMode UnmanagedMemoryAccessor Uri UriBuilder UriComponents UriCreationOptions UriFormat ' +
  'UriHostNameType UriKind UriParser UriPartial ValueTask ValueTuple ValueType Version Void Volatile WaitCallback ' +
  'WaitForChangedResult WaitHandle WaitHandleExtensions WaitOrTimerCallback WatcherChangeTypes WeakReference'
).split(' ');
