// What the drivers of TypeScript and of its variant for pages do alike: see test/conformance/README.md.

/**
 * Gives the function that does a request. `show` prints whatever it is given with all that it holds; `own` are options that
 * every client is made with.
 */
export function createDriver(sdk, show, own = {}) {
  const members = {
    echo: { call: 'echo', type: sdk.everythingType },
    'echo-kinds': { call: 'echoKinds', type: sdk.kindsType },
    'echo-free': { call: 'echoFree', type: sdk.structType },
    class: { call: 'callClass', type: sdk.everythingType },
    größe: { call: 'grosse', type: sdk.everythingType },
    'echo-twice': {
      call: 'echoTwice',
      start: 'startEchoTwice',
      execution: 'echoTwiceExecution',
      warm: 'warmEchoTwice',
      type: sdk.everythingType,
    },
    return: {
      call: 'callReturn',
      start: 'startReturn',
      execution: 'returnExecution',
      warm: 'warmReturn',
      type: sdk.kindsType,
    },
    'any-flow': { execution: 'execution', type: sdk.valueType },
    'write-text': { call: 'writeText', warm: 'warmWriteText', type: sdk.promptType, output: sdk.tokenType },
    'continue-text': {
      call: 'continueText',
      upload: 'uploadContinueText',
      open: 'openContinueText',
      type: sdk.promptType,
      output: sdk.tokenType,
    },
    'parse-logs': {
      call: 'parseLogs',
      upload: 'uploadParseLogs',
      create: 'createParseLogsStream',
      stream: 'parseLogsStream',
      type: sdk.logChunkType,
      output: sdk.logEntryType,
    },
  };

  const classes = {
    AbortedError: 'cancelled',
    AppKeyGraphDeniedError: 'app-key-graph-denied',
    BadRequestError: 'bad-request',
    ConfigurationError: 'configuration',
    ConnectionError: 'connection',
    FlowFailedError: 'flow-failed',
    FlowPausedError: 'flow-paused',
    ForbiddenError: 'forbidden',
    IdempotencyMismatchError: 'idempotency-mismatch',
    InterruptedResponseError: 'interrupted-response',
    InvalidResponseError: 'invalid-response',
    NodeFailedError: 'node-failed',
    NotFoundError: 'not-found',
    PayloadTooLargeError: 'payload-too-large',
    QuotaExceededError: 'quota-exceeded',
    RateLimitedError: 'rate-limited',
    ServerError: 'server',
    StatusError: 'status',
    StreamInterruptedError: 'stream-interrupted',
    TenantSuspendedError: 'tenant-suspended',
    TimedOutError: 'timed-out',
    UnauthorizedError: 'unauthorized',
    UpstreamUnavailableError: 'upstream-unavailable',
    ValueError: 'value',
    WaitTimedOutError: 'wait-timed-out',
  };

  /** Does one step; `state.execution` is the run that was started last. */
  async function perform(client, step, state) {
    const { call, start, execution, warm, type } = members[step.alias];
    const options = { ...step.options };
    if (step.cancelAfterMs === 0) options.signal = AbortSignal.abort();
    else if (step.cancelAfterMs !== undefined) options.signal = AbortSignal.timeout(step.cancelAfterMs);
    const run = () =>
      step.executionId === undefined ? state.execution : client[execution](step.executionId);
    const split = () =>
      step.streamId === undefined ? state.stream : client[members[step.alias].stream](step.streamId);
    switch (step.do) {
      case 'call': {
        const input = sdk.fromJson(type, step.inputText);
        return answered(step, client[call](input, options), (output) => sdk.toJson(type, output));
      }
      case 'start': {
        const input = sdk.fromJson(type, step.inputText);
        return answered(step, client[start](input, options), (started) => {
          state.execution = started;
          return JSON.stringify({ executionId: started.id });
        });
      }
      case 'get':
      case 'cancel': {
        const record = await run()[step.do](options);
        return { valueText: JSON.stringify({ ...record, fields: undefined }) };
      }
      case 'pauses':
        return { valueText: JSON.stringify((await run().pauses(options)).map(withLink)) };
      case 'inbox': {
        const { statuses, pageSize } = step;
        const pauses = await Array.fromAsync(client.listPauses({ ...options, statuses, pageSize }));
        return { valueText: JSON.stringify(pauses.map(withLink)) };
      }
      case 'resume': {
        const { pauseId = state.pauseId, resumedBy } = step;
        const resumed = await run().resume(pauseId, decisionIn(step, type) ?? null, {
          ...options,
          resumedBy,
        });
        return { valueText: JSON.stringify(resumed) };
      }
      case 'fork': {
        const { checkpointId } = step;
        state.execution = await run().fork({ ...options, checkpointId, input: decisionIn(step, type) });
        return { valueText: JSON.stringify({ executionId: state.execution.id }) };
      }
      case 'wait':
        return answered(step, run().wait(options), (output) => sdk.toJson(type, output));
      case 'events': {
        const { types, nodeName, pageSize } = step;
        return listed(step, run().events({ ...options, types, nodeName, pageSize }));
      }
      case 'follow':
        return listed(step, run().follow(options));
      case 'stream':
        return streamed(client, step, options);
      case 'create':
        state.stream = await client[members[step.alias].create](options);
        return { valueText: JSON.stringify({ streamId: state.stream.id }) };
      case 'upload':
        return { valueText: JSON.stringify(await split().upload(inputsOf(step, type), options)) };
      case 'output':
        return collected(step, split().output({ ...options, after: step.after }));
      case 'live':
        return live(client, step, options);
      case 'warm':
        return answered(step, client[warm](options), () => undefined);
      default:
        throw new Error(`this driver cannot do ${step.do}`);
    }
  }

  function decisionIn({ decisionText, decisionJsonText, decisionBytes }, type) {
    if (decisionText !== undefined) return sdk.decisionOf(type, sdk.fromJson(type, decisionText));
    if (decisionJsonText !== undefined) return JSON.parse(decisionJsonText);
    if (decisionBytes === undefined) return undefined;
    return Uint8Array.from(atob(decisionBytes), (char) => char.charCodeAt(0));
  }

  async function answered(step, call, print) {
    if (!step.raw) return { valueText: print(await call) };
    const { value, response } = await call.withResponse();
    const { status, headers, body } = response;
    return { valueText: print(value), answer: { status, headers, body } };
  }

  async function listed({ takes }, events) {
    const given = [];
    const result = () => ({ valueText: JSON.stringify(given) });
    try {
      for await (const {
        type,
        ulid,
        timestampMs,
        nodeName,
        input,
        output,
        errorMessage,
        pauseId,
      } of events) {
        given.push({ type, ulid, timestampMs, nodeName, input, output, errorMessage, pauseId });
        if (given.length === takes) break;
      }
      return result();
    } catch (error) {
      return { ...result(), ...failure(error) };
    }
  }

  async function collected({ alias, takes }, outputs) {
    const given = [];
    const result = () => ({ valueText: `[${given}]` });
    try {
      for await (const one of outputs) {
        given.push(sdk.toJson(members[alias].output, one));
        if (given.length === takes) break;
      }
      return result();
    } catch (error) {
      return { ...result(), ...failure(error) };
    }
  }

  async function live(client, step, options) {
    const { open, type, output } = members[step.alias];
    const session = await client[open](options);
    const { executionId, limits } = session;
    const first = [];
    let isTurn = false;
    try {
      for await (const input of inputsOf(step, type)) {
        if (isTurn) first.push(sdk.toJson(output, (await session.next()).value));
        await session.send(input);
        isTurn = step.inTurn === true;
      }
      const takes = step.takes === undefined ? undefined : step.takes - first.length;
      const { valueText, ...rest } = await collected({ ...step, takes }, session);
      const all = [...first, ...(valueText === '[]' ? [] : [valueText.slice(1, -1)])];
      return { valueText: `[${all}]`, executionId, limits: wireLimits(limits), ...rest };
    } finally {
      await session.close();
    }
  }

  async function streamed(client, step, options) {
    const { call, upload, type, output } = members[step.alias];
    const outputs =
      step.inputTexts === undefined
        ? client[call](sdk.fromJson(type, step.inputText), options)
        : client[upload](inputsOf(step, type), options);
    const given = [];
    const result = () => ({ valueText: `[${given}]`, executionId: outputs.executionId });
    try {
      if (step.takes === 0) await outputs.close();
      for await (const one of outputs) {
        given.push(sdk.toJson(output, one));
        if (given.length === step.takes) break;
      }
      if (!step.raw) return result();
      const { status, headers, body } = await outputs.response();
      return { ...result(), answer: { status, headers, body } };
    } catch (error) {
      return { ...result(), ...failure(error) };
    }
  }

  async function* inputsOf({ inputTexts, inputPauseMs = 0 }, type) {
    for (const [index, text] of inputTexts.entries()) {
      if (index > 0) await new Promise((resolve) => setTimeout(resolve, inputPauseMs));
      yield sdk.fromJson(type, text);
    }
  }

  function failure(error) {
    if (!(error instanceof sdk.SvcError)) throw error;
    const { status, body, executionId, requestId, idempotencyKey, retryAfterMs, pauseId, code } = error;
    const { message } = error;
    const ids = { executionId, requestId, idempotencyKey, pauseId };
    const details = { status, body, ...ids, retryAfterMs, code };
    return { error: { class: classes[error.name], message, printed: show(error), ...details } };
  }

  return async function respond({ id, client: options, steps }) {
    const results = [];
    const log = [];
    const state = {};
    try {
      const logger = (event) => log.push(show(event));
      const client = new sdk.ConformanceClient({ ...options, ...own, logger });
      log.push(show(client));
      for (const step of steps) {
        try {
          results.push(await perform(client, step, state));
        } catch (error) {
          if (!step.goesOn) throw error;
          results.push(failure(error));
          state.execution = error.execution;
          state.pauseId = error.pauseId;
        }
        if (results.at(-1).error !== undefined && !step.goesOn) break;
      }
    } catch (error) {
      results.push(failure(error));
    }
    return { id, results, log };
  };
}

/** A pause with its link, which `JSON.stringify` leaves out. */
function withLink(pause) {
  return { ...pause, resumeUrl: pause.resumeUrl };
}

/** Limits by the names that the service gives them. */
function wireLimits({ inputMessageBytes, inputBytes, inputMessages, outputBytes, durationMs, stallMs }) {
  return {
    input_frame_bytes: inputMessageBytes,
    input_bytes: inputBytes,
    input_frames: inputMessages,
    output_bytes: outputBytes,
    session_seconds: durationMs && durationMs / 1_000,
    stall_seconds: stallMs && stallMs / 1_000,
  };
}
