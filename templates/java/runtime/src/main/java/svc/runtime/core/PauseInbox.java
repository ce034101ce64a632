package svc.runtime.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The pauses of all runs. */
final class PauseInbox {
  private static final String PATH = "/invocations/v1/pauses";

  private PauseInbox() {}

  static Stream<Pause> list(ServiceConnection connection, PauseFilter filter, CallOptions options) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(options, "options");
    return Pages.stream(
        cursor ->
            Blocking.call(
                options, own -> Call.start(connection, own, call -> page(call, filter, cursor))));
  }

  static CompletableFuture<List<Pause>> listAsync(
      ServiceConnection connection, PauseFilter filter, CallOptions options) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(options, "options");
    return Call.start(
        connection, options, call -> collect(call, filter, Optional.empty(), new ArrayList<>()));
  }

  private static CompletableFuture<List<Pause>> collect(
      Call call, PauseFilter filter, Optional<String> cursor, List<Pause> collected) {
    // Continue on another thread, so that many pages do not need a deep stack.
    return page(call, filter, cursor)
        .thenComposeAsync(
            page -> {
              collected.addAll(page.items());
              return page.nextCursor().isEmpty()
                  ? CompletableFuture.completedFuture(List.copyOf(collected))
                  : collect(call, filter, page.nextCursor(), collected);
            },
            call.executor());
  }

  private static CompletableFuture<PausePage> page(
      Call call, PauseFilter filter, Optional<String> cursor) {
    return Exchange.get(call, PATH + filter.query(cursor))
        .thenApply(response -> PausePage.of(response, cursor));
  }
}
