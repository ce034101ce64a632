/** A thread that runs out of this much memory dies alone instead of taking the service with it. */
export const threadLimits = { maxOldGenerationSizeMb: 1024 };
