import java.time.Duration;
import java.util.Arrays;
import org.openapitools.codegen.DefaultGenerator;
import org.openapitools.codegen.config.CodegenConfigurator;

/** Makes a set of SDKs by openapi-generator's library until its rounds or its time are used up; prints each round's milliseconds and processor time. */
class WarmLibrary {
    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        long endsAt = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000;
        var configs = Arrays.copyOfRange(args, 2, args.length);
        for (int round = 0; round < rounds && (round < 2 || System.nanoTime() < endsAt); round++) {
            long startedAt = System.nanoTime();
            long cpuBefore = cpuMillis();
            for (String config : configs) {
                new DefaultGenerator().opts(CodegenConfigurator.fromFile(config).toClientOptInput()).generate();
            }
            long tookMillis = (System.nanoTime() - startedAt) / 1_000_000;
            System.out.println("round " + tookMillis + " " + (cpuMillis() - cpuBefore));
        }
    }

    private static long cpuMillis() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toMillis();
    }
}
