package svc.runtime.core;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Ends the calls whose time is up. Most calls end long before, so they share one alarm, which is
 * set for the earliest deadline: to set and cancel one for each would wake a thread every time.
 */
final class Deadlines {
  private final Set<Call> calls = ConcurrentHashMap.newKeySet();

  /** Whether there is an alarm, and for when, by {@link System#nanoTime}. */
  private boolean isSet;

  private long alarm;

  /** Ends a call at its deadline unless it is removed before. */
  void add(Call call) {
    calls.add(call);
    setAlarm(call.deadline());
  }

  void remove(Call call) {
    calls.remove(call);
  }

  private synchronized void setAlarm(long deadline) {
    if (isSet && alarm - deadline <= 0) {
      return;
    }
    isSet = true;
    alarm = deadline;
    long delay = Math.max(0, deadline - System.nanoTime());
    CompletableFuture.delayedExecutor(delay, TimeUnit.NANOSECONDS).execute(this::ring);
  }

  private void ring() {
    synchronized (this) {
      isSet = false;
    }
    Call next = null;
    for (Call call : calls) {
      if (call.deadline() - System.nanoTime() <= 0) {
        call.timeOut();
      } else if (next == null || call.deadline() - next.deadline() < 0) {
        next = call;
      }
    }
    if (next != null) {
      setAlarm(next.deadline());
    }
  }
}
