using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text.Json;
using System.Threading.Tasks;
using Acme.AcmeText;
using Acme.AcmeText.Messages;

// Measures calls of the C# SDK beside HttpClient: see ../sdk-bench.ts.
var url = Environment.GetEnvironmentVariable("SVC_BASE_URL") + "/bare";
var authorization = "Bearer " + Environment.GetEnvironmentVariable("SVC_API_KEY");
var seconds = double.Parse(Environment.GetEnvironmentVariable("BENCH_SECONDS")!, CultureInfo.InvariantCulture);
using var http = new HttpClient { Timeout = TimeSpan.FromMinutes(1) };
using var client = new AcmeTextClient();

await MeasureAsync();
var (bareTimes, sdkTimes) = await MeasureAsync();
Console.WriteLine($$"""{"bare":[{{string.Join(',', bareTimes)}}],"sdk":[{{string.Join(',', sdkTimes)}}]}""");

async Task<(List<long> Bare, List<long> Sdk)> MeasureAsync()
{
    var times = (Bare: new List<long>(), Sdk: new List<long>());
    var clock = Stopwatch.StartNew();
    while (clock.Elapsed.TotalSeconds < seconds)
    {
        times.Bare.Add(await TimedAsync(BareAsync));
        times.Sdk.Add(await TimedAsync(SdkAsync));
    }
    return times;
}

static async Task<long> TimedAsync(Func<Task> call)
{
    var start = Stopwatch.GetTimestamp();
    await call();
    return (long)Stopwatch.GetElapsedTime(start).TotalNanoseconds;
}

async Task BareAsync()
{
    using var request = new HttpRequestMessage(HttpMethod.Post, url);
    request.Headers.TryAddWithoutValidation("Authorization", authorization);
    request.Headers.TryAddWithoutValidation("Accept", "application/json");
    request.Headers.TryAddWithoutValidation("Idempotency-Key", Guid.NewGuid().ToString());
    request.Headers.TryAddWithoutValidation("X-Svc-Client", "acme-acme-text/1.1.0 (csharp; svc/0)");
    var body = JsonSerializer.SerializeToUtf8Bytes(new { text = "Two ships left the harbour.", limit = 10 });
    request.Content = new ByteArrayContent(body);
    request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
    using var response = await http.SendAsync(request);
    response.EnsureSuccessStatusCode();
    using var output = JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync());
    Expect(output.RootElement.GetProperty("total").GetString() == "5");
}

async Task SdkAsync()
{
    var input = new CountWordsRequest { Text = "Two ships left the harbour.", Limit = 10 };
    var output = await client.CountWordsAsync(input);
    Expect(output.Total == 5);
}

static void Expect(bool isTrue)
{
    if (!isTrue)
        throw new InvalidOperationException("the answer is not what the server sends");
}
