import type { Check, Violation } from './violation.ts';

/** A follower gets every event once and in order over all of its connections, and no connection repeats an event. */
export const followers: Check = ({ followed }, { executions }) =>
  followed.flatMap(({ executionId, ulids, isWhole, sockets }) => {
    const events = (executions.get(executionId)?.events ?? []).map(({ event_ulid }) => event_ulid);
    const problem = (text: string): Violation => ({
      about: 'followed run',
      text: `execution ${executionId}: ${text}`,
    });
    const isPrefix = ulids.every((ulid, n) => ulid === events[n]);
    return [
      ...(isPrefix && (!isWhole || ulids.length === events.length)
        ? []
        : [problem(`the follower got ${ulids.join(' ')}, the history is ${events.join(' ')}`)]),
      ...(isWhole ? [] : [problem('the follower never came to its end')]),
      ...sockets
        .filter((socket) => socket.some((ulid, n) => n > 0 && ulid <= socket[n - 1]!))
        .map((socket) => problem(`a socket sent ${socket.join(' ')}`)),
    ];
  });
