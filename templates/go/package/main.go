// Command greeter serves the nodes of acme/greeter as a node container of svc.
package main

import (
	_ "embed"

	"greeter/svcnode"
)

//go:embed package.yaml
var packageYAML []byte

func main() {
	svcnode.Main(packageYAML,
		svcnode.Unary("Greet", greet),
		svcnode.Pipeline("GreetAll", greetAll),
		svcnode.Unary("Welcome", welcome),
	)
}
