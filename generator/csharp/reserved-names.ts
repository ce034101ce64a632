import { implicitlyImported } from './implicit-types.ts';

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
  'Bool Boolean Byte Char Date Decimal Double Float Guid Int Int8 Int16 Int32 Int64 Integer IntPtr Intptr Long Obj Object Ptr ' +
  'Pointer SByte Sbyte Short Signed Single String UInt Uint UInt8 Uint8 UInt16 Uint16 UInt32 Uint32 UInt64 Uint64 UIntPtr ' +
  'Uintptr ULong Ulong UShort Ushort Unsigned'
).split(' ');

/**
 * Keywords of the languages of .NET, in whatever case: no type and no part of a namespace should be called so
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

/** The same in lower case: one of these languages tells no case apart. */
export const keywordsOfAnyCase: ReadonlySet<string> = new Set(keywords.map((word) => word.toLowerCase()));

/** Ends of names that say of a type what a message is not (https://learn.microsoft.com/dotnet/fundamentals/code-analysis/quality-rules/ca1711). */
export const misleadingEnd =
  /(?:Attribute|Collection|Delegate|Dictionary|Enum|EventArgs|EventHandler|Ex|Exception|Flags?|Impl|New|Permission|Queue|Stack|Stream)$/;

/** Members of every message, beside the inherited ones, and what the language makes of a record by itself. */
const messageMembers = [
  'Deconstruct',
  'Descriptor',
  'EqualityContract',
  'FromJson',
  'PrintMembers',
  'ToJson',
];

/** Members of every enum, beside the inherited ones: no type is called like a member of its own. */
export const enumMembers: ReadonlySet<string> = new Set(['Name', 'Number']);

/** No type of a message or enum has one of these names. */
export const reservedForTypes: ReadonlySet<string> = new Set([
  // The method of a program in `examples/`, and the class that every program without one is given.
  ...['MakeSample', 'Program'],
  ...inherited,
  ...messageMembers,
  ...implicitlyImported,
  ...runtimeTypes,
  ...usedByMessages,
  ...typeWords,
  ...keywords,
]);

/** Members of every message, and what its source names; the type's own name comes to these. */
export const reservedForFields: ReadonlySet<string> = new Set([
  ...inherited,
  ...typeWords,
  ...messageMembers,
  ...['Clone', 'Fields', 'MapKeys', 'ProtoJson', 'ReadOnlyDictionary'],
]);

/** Members of every enum; the type's own name comes to these. */
export const reservedForValues: ReadonlySet<string> = new Set([
  ...inherited,
  ...typeWords,
  ...enumMembers,
  ...['Deconstruct', 'PrintMembers'],
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
  ...keywords,
  ...[
    'Answers',
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
