/** Memory limit of worker threads. A thread that exceeds it ends without affecting the service. */
export const threadLimits = { maxOldGenerationSizeMb: 1024 };
