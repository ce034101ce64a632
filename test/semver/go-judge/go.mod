module svc.internal/semver/judge

go 1.24.0

require (
	golang.org/x/exp v0.0.0-20251219203646-944ab1f22d93
	golang.org/x/tools v0.40.0
)

require (
	golang.org/x/mod v0.31.0 // indirect
	golang.org/x/sync v0.19.0 // indirect
)
