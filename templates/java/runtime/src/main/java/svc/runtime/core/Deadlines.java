package svc.runtime.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Ends calls at their deadlines. All calls share one timer, set for the earliest deadline, because
 * a timer per call would wake a thread each time.
 */
final class Deadlines {
  private final Set<Call> calls = ConcurrentHashMap.newKeySet();

  /**
   * Completed at the earliest deadline, or when an earlier deadline is added; null if there is
   * none.
   */
  private CompletableFuture<Void> timer;

  /** When the timer is due, in {@link System#nanoTime}. */
  private long alarm;

  /** Ends a call at its deadline unless it is removed first. */
  void add(Call call) {
    calls.add(call);
    setAlarm(call.deadline());
  }

  void remove(Call call) {
    calls.remove(call);
  }

  private synchronized void setAlarm(long deadline) {
    if (timer != null) {
      if (alarm - deadline <= 0) {
        return;
      }
      // Early releases of JDK 17 retain the task of a timer that is cancelled.
      timer.complete(null);
    }
    alarm = deadline;
    long delay = Math.max(0, deadline - System.nanoTime());
    CompletableFuture<Void> next = new CompletableFuture<>();
    timer = next;
    next.completeOnTimeout(null, delay, TimeUnit.NANOSECONDS);
    next.thenRunAsync(() -> ring(next), Workers.THREADS);
  }

  private void ring(CompletableFuture<Void> due) {
    synchronized (this) {
      if (timer != due) {
        // An earlier deadline has replaced this timer.
        return;
      }
      timer = null;
    }
    List<Call> late = new ArrayList<>();
    Call next = null;
    for (Call call : calls) {
      if (call.deadline() - System.nanoTime() <= 0) {
        late.add(call);
      } else if (next == null || call.deadline() - next.deadline() < 0) {
        next = call;
      }
    }
    if (next != null) {
      setAlarm(next.deadline());
    }
    late.forEach(call -> Workers.THREADS.execute(call::timeOut));
  }
}
