import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import svc.acme.acme_text.AcmeTextClient;
import svc.acme.acme_text.CountWordsRequest;

/** Measures calls of the Java SDK beside java.net.http: see ../sdk-bench.ts. */
public final class Bench {
  private static final URI ADDRESS = URI.create(System.getenv("SVC_BASE_URL") + "/bare");
  private static final String AUTHORIZATION = "Bearer " + System.getenv("SVC_API_KEY");

  private final HttpClient http = HttpClient.newHttpClient();
  private final AcmeTextClient client = AcmeTextClient.create();
  private final List<Long> bareTimes = new ArrayList<>();
  private final List<Long> sdkTimes = new ArrayList<>();

  private interface Call {
    void run() throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    double seconds = Double.parseDouble(System.getenv("BENCH_SECONDS"));
    Bench bench = new Bench();
    bench.measure(seconds);
    bench.bareTimes.clear();
    bench.sdkTimes.clear();
    bench.measure(seconds);
    System.out.println("{\"bare\":" + bench.bareTimes + ",\"sdk\":" + bench.sdkTimes + "}");
  }

  private void measure(double seconds) throws Exception {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    while (System.nanoTime() < end) {
      bareTimes.add(timed(this::bare));
      sdkTimes.add(timed(this::sdk));
    }
  }

  private static long timed(Call call) throws Exception {
    long start = System.nanoTime();
    call.run();
    return System.nanoTime() - start;
  }

  private void bare() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(ADDRESS)
            .header("Authorization", AUTHORIZATION)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .header("Idempotency-Key", UUID.randomUUID().toString())
            .header("X-Svc-Client", "acme-acme-text/1.1.0 (java; svc/0)")
            .timeout(Duration.ofMinutes(1))
            .POST(BodyPublishers.ofString("{\"text\":\"Two ships left the harbour.\",\"limit\":10}"))
            .build();
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    expect(response.statusCode() == 200 && response.body().endsWith("\"total\":\"5\"}"));
  }

  private void sdk() {
    CountWordsRequest input =
        CountWordsRequest.builder().text("Two ships left the harbour.").limit(10L).build();
    expect(client.countWords(input).total() == 5);
  }

  private static void expect(boolean isTrue) {
    if (!isTrue) {
      throw new IllegalStateException("the answer is not what the server sends");
    }
  }
}
