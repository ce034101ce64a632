import { implicitlyImported } from './implicit-types.ts';

/** Public types of the runtime. */
const runtimeTypes = (
  'ApiResponse AppKeyGraphDeniedException BadRequestException CallOptions CallTimeoutException Client ClientOptions Codec ' +
  'ConfigurationException ConnectionException Duration Empty EventFilter Execution ExecutionEvent ExecutionEventType ExecutionRecord ExecutionStatus ' +
  'FieldMask FlowFailedException FlowPausedException ForbiddenException ForkOptions IdempotencyMismatchException InterruptedResponseException InvalidResponseException ' +
  'IProtoJson LiveSession LiveSessionLimits LogEvent LogEventKind ModelFactory NodeFailedException NotFoundException NullValue Pause PauseDecision PauseFilter PauseStatus PayloadTooLargeException ' +
  'ProtoJson ProtoJsonConverter QuotaExceededException RateLimitedException RawClient ResumedPause ServerException SplitStreamHandle SplitUpload StatusException StreamedOutput StreamInterruptedException SvcException TenantSuspendedException Timestamp ' +
  'UnauthorizedException UpstreamUnavailableException Value ValueException WaitTimeoutException'
).split(' ');

/** Other names in the source of messages. */
const usedByMessages = (
  'EnumTable Fields IMessage IOpenEnum IReadOnlyDictionary IReadOnlyList JsonArray JsonConverter JsonObject MapKeys MessageType Obsolete ' +
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
const typeNames = (
  'Bool Boolean Byte Char Date Decimal Double Float Guid Int Int8 Int16 Int32 Int64 Integer IntPtr Intptr Long Obj Object Ptr ' +
  'Pointer SByte Sbyte Short Signed Single String UInt Uint UInt8 Uint8 UInt16 Uint16 UInt32 Uint32 UInt64 Uint64 UIntPtr ' +
  'Uintptr ULong Ulong UShort Ushort Unsigned'
).split(' ');

/**
 * Keywords of the .NET languages, in any case: types and parts of namespaces should not have these names
 * (https://learn.microsoft.com/dotnet/fundamentals/code-analysis/quality-rules/ca1716).
 */
const keywords = (
  'Abstract AddHandler AddressOf Alias And AndAlso As Assembly Auto Base Begin Bool Boolean Break ByRef Byte ByVal Call Case Catch ' +
  'CBool CByte CChar CDate CDbl CDec Char Checked CInt Class CLng CObj Const Continue CSByte CShort CSng CStr CType CUInt CULng ' +
  'CUShort Date Decimal Declare Default Delegate Delete Dim DirectCast Do Double Each Else ElseIf End EndIf Enum Erase Error ' +
  'Event Exit Explicit Extends Extern External False Finalize Finally Fixed Float For Foreach Friend Function Get GetType Global ' +
  'GoSub GoTo Goto Handles If Implements Implicit Imports In Inherits Inline Instanceof Int Integer Interface Internal Is IsFalse IsNot ' +
  'IsTrue Let Lib Like Lock Long Loop Me Mod Module MustInherit MustOverride MyBase MyClass Namespace Narrowing New Next Not ' +
  'Nothing NotInheritable NotOverridable Null Object Of On Operator Option Optional Or OrElse Out Overloads Overridable Override ' +
  'Overrides Package ParamArray Params Partial Preserve Private Property Protected Public RaiseEvent Readonly ReadOnly ReDim Ref Register ' +
  'REM RemoveHandler Resume Return Sbyte SByte Sealed Select Set Shadows Shared Short Signed Single Sizeof Stackalloc Static Step ' +
  'Stop String Struct Structure Sub Switch SyncLock Template Then This Throw To True Try TryCast Typedef TypeOf Typeof Typename ' +
  'UInteger Uint ULong Ulong Unchecked Union Unsafe Unsigned Until UShort Ushort Using Var Variant Virtual Void Volatile Wend When ' +
  'While Widening With WithEvents WriteOnly Xor'
).split(' ');

/** In lower case, because one of these languages ignores case. */
export const keywordsOfAnyCase: ReadonlySet<string> = inLowerCase(keywords);

/** Names that no type has, in lower case, because CA1720 ignores case too. */
export const refusedTypesOfAnyCase: ReadonlySet<string> = inLowerCase([...keywords, ...typeNames]);

/** Suffixes that are reserved for types with a certain base type (https://learn.microsoft.com/dotnet/fundamentals/code-analysis/quality-rules/ca1711). */
export const misleadingEnd =
  /(?:Attribute|Collection|Delegate|Dictionary|Enum|EventArgs|EventHandler|Ex|Exception|Flags?|Impl|New|Permission|Queue|Stack|Stream)$/;

/** Members of every message in addition to inherited and compiler-generated ones. */
const messageMembers = [
  'Deconstruct',
  'Descriptor',
  'EqualityContract',
  'FromJson',
  'FromStrictJson',
  'PrintMembers',
  'ToJson',
];

/** In lower case, because CA1708 refuses members whose names differ only in case, and CA1720 ignores case. */
export const refusedFieldsOfAnyCase: ReadonlySet<string> = inLowerCase([...messageMembers, ...typeNames]);

/** Members of every enum in addition to inherited ones: a type cannot have the name of one of its members. */
export const enumMembers: ReadonlySet<string> = new Set(['Name', 'Names', 'Number']);

/** In lower case, because CA1708 refuses members whose names differ only in case, and CA1720 ignores case. */
export const refusedValuesOfAnyCase: ReadonlySet<string> = inLowerCase([...enumMembers, ...typeNames]);

/** No type of a message or enum has one of these names. */
export const reservedForTypes: ReadonlySet<string> = new Set([
  // The method of a program in `examples/`, the class that every program without one is given, and the namespace of a package that
  // tests reference.
  ...['MakeSample', 'Program', 'Xunit'],
  ...inherited,
  ...messageMembers,
  ...implicitlyImported,
  ...runtimeTypes,
  ...usedByMessages,
  ...typeNames,
  ...keywords,
]);

/** Members of every message and other names in its source; the name of the type is added to them. */
export const reservedForFields: ReadonlySet<string> = new Set([
  ...inherited,
  ...typeNames,
  ...messageMembers,
  ...['Clone', 'Fields', 'MapKeys', 'ProtoJson', 'ReadOnlyDictionary'],
]);

/** Members of every enum; the name of the type is added to them. */
export const reservedForValues: ReadonlySet<string> = new Set([
  ...inherited,
  ...typeNames,
  ...enumMembers,
  ...['Clone', 'Deconstruct', 'PrintMembers', 'ProtoJson'],
]);

/** Names that the methods of a member cannot be derived from, in addition to those that already end in `Async`. */
export const reservedForCalls: ReadonlySet<string> = new Set([
  ...inherited,
  ...typeNames,
  ...['Calls', 'Dispose', 'Execution', 'ListPauses', 'ProtoJson', 'Warm'],
]);

/** Parts of a namespace that would hide names of the SDK or of its users. */
export const reservedForNamespaces: ReadonlySet<string> = new Set([
  ...implicitlyImported,
  ...runtimeTypes,
  ...usedByMessages,
  ...typeNames,
  ...keywords,
  ...[
    'Responses',
    'ApiKey',
    'Calls',
    'Connection',
    'Field',
    'LogicalCall',
    'Messages',
    'Program',
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

function inLowerCase(names: Iterable<string>): ReadonlySet<string> {
  return new Set([...names].map((name) => name.toLowerCase()));
}
