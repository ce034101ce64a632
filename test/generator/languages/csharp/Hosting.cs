// The parts of Microsoft.Extensions that READMEs use. Tests run offline, without its packages.
namespace System.Net.Http
{
    internal interface IHttpClientFactory
    {
        HttpClient CreateClient(string name);
    }
}

namespace Microsoft.Extensions.DependencyInjection
{
    using Microsoft.Extensions.Options;

    internal interface IServiceCollection;

    internal interface IHttpClientBuilder;

    internal static class Registrations
    {
        internal static IServiceCollection AddSingleton<TService>(
            this IServiceCollection services,
            Func<IServiceProvider, TService> implementationFactory)
            where TService : class => throw new NotSupportedException($"{services} {implementationFactory}");

        internal static T GetRequiredService<T>(this IServiceProvider provider)
            where T : notnull => throw new NotSupportedException($"{provider}");

        internal static IHttpClientBuilder AddHttpClient(
            this IServiceCollection services,
            string name,
            Action<HttpClient> configureClient) => throw new NotSupportedException($"{services} {name} {configureClient}");

        internal static IHttpClientBuilder ConfigurePrimaryHttpMessageHandler(
            this IHttpClientBuilder builder,
            Func<HttpMessageHandler> configureHandler) => throw new NotSupportedException($"{builder} {configureHandler}");

        internal static IHttpClientBuilder SetHandlerLifetime(
            this IHttpClientBuilder builder,
            TimeSpan handlerLifetime) => throw new NotSupportedException($"{builder} {handlerLifetime}");

        internal static IHttpClientBuilder RemoveAllLoggers(this IHttpClientBuilder builder) =>
            throw new NotSupportedException($"{builder}");

        internal static OptionsBuilder<TOptions> AddOptions<TOptions>(this IServiceCollection services)
            where TOptions : class => throw new NotSupportedException($"{services}");
    }
}

namespace Microsoft.Extensions.Logging
{
    internal enum LogLevel
    {
        Trace,
        Debug,
        Information,
        Warning,
        Error,
        Critical,
        None,
    }

    internal interface ILogger;

    internal interface ILogger<out TCategoryName> : ILogger;

    internal static class LoggerExtensions
    {
        internal static void Log(
            this ILogger logger,
            LogLevel logLevel,
            Exception? exception,
            string? message,
            params object?[] args) => throw new NotSupportedException($"{logger} {logLevel} {exception} {message} {args.Length}");
    }
}

namespace Microsoft.Extensions.Options
{
    internal interface IOptions<out TOptions>
        where TOptions : class
    {
        TOptions Value { get; }
    }

    internal sealed class OptionsBuilder<TOptions>
        where TOptions : class
    {
        internal OptionsBuilder<TOptions> Configure<TDep>(Action<TOptions, TDep> configureOptions)
            where TDep : class => throw new NotSupportedException($"{this} {configureOptions}");
    }
}
