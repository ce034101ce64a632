/** Keywords (JLS 3.9), including contextual ones: names that variables and methods cannot have. */
export const keywords: ReadonlySet<string> = new Set(
  (
    'abstract assert boolean break byte case catch char class const continue default do double else enum extends false final ' +
    'finally float for goto if implements import instanceof int interface long native new null package private protected public ' +
    'record return short static strictfp super switch synchronized this throw throws transient true try var void volatile while ' +
    'yield'
  ).split(' '),
);

/** Public types of `java.lang`, which every program has without an import. */
export const javaLangTypes: readonly string[] = (
  'AbstractMethodError Appendable ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException AssertionError ' +
  'AutoCloseable Boolean BootstrapMethodError Byte CharSequence Character Class ClassCastException ClassCircularityError ' +
  'ClassFormatError ClassLoader ClassNotFoundException ClassValue CloneNotSupportedException Cloneable Comparable Compiler ' +
  'Deprecated Double Enum EnumConstantNotPresentException Error Exception ExceptionInInitializerError Float FunctionalInterface ' +
  'IllegalAccessError IllegalAccessException IllegalArgumentException IllegalCallerException IllegalMonitorStateException ' +
  'IllegalStateException IllegalThreadStateException IncompatibleClassChangeError IndexOutOfBoundsException ' +
  'InheritableThreadLocal InstantiationError InstantiationException Integer InternalError InterruptedException Iterable ' +
  'LayerInstantiationException LinkageError Long Math Module ModuleLayer NegativeArraySizeException NoClassDefFoundError ' +
  'NoSuchFieldError NoSuchFieldException NoSuchMethodError NoSuchMethodException NullPointerException Number ' +
  'NumberFormatException Object OutOfMemoryError Override Package Process ProcessBuilder ProcessHandle Readable Record ' +
  'ReflectiveOperationException Runnable Runtime RuntimeException RuntimePermission SafeVarargs ScopedValue SecurityException ' +
  'SecurityManager Short StackOverflowError StackTraceElement StackWalker StrictMath String StringBuffer StringBuilder ' +
  'StringIndexOutOfBoundsException StringTemplate SuppressWarnings System Thread ThreadDeath ThreadGroup ThreadLocal Throwable ' +
  'TypeNotPresentException UnknownError UnsatisfiedLinkError UnsupportedClassVersionError UnsupportedOperationException ' +
  'VerifyError VirtualMachineError Void WrongThreadException'
).split(' ');
