// etcd, kube-apiserver and kube-controller-manager, each on a free port of 127.0.0.1, and the kubeconfig that reaches them.
package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/hex"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/keyutil"
)

const startingTime = 2 * time.Minute

// Starts all, and returns the path of the kubeconfig and how to end it. The context "admin" may do everything, "proof" what a
// search for capacity needs.
func startControlPlane(ctx context.Context, folder string) (string, func(), error) {
	stops := []func(){}
	stop := func() {
		for at := len(stops) - 1; at >= 0; at-- {
			stops[at]()
		}
	}
	store, endStore, err := startEtcd(filepath.Join(folder, "etcd"))
	if err != nil {
		return "", stop, err
	}
	stops = append(stops, endStore)
	tokens := map[string]string{"admin": nonce(), "proof": nonce()}
	port := freePort()
	endServer, err := startServer(folder, store, port, tokens)
	if err != nil {
		return "", stop, err
	}
	stops = append(stops, endServer)
	kubeconfig := filepath.Join(folder, "kubeconfig")
	address := fmt.Sprintf("https://127.0.0.1:%d", port)
	if err := untilReady(ctx, folder, kubeconfig, address, tokens); err != nil {
		return "", stop, err
	}
	endControllers, err := startPart(folder, "kube-controller-manager",
		"--kubeconfig="+kubeconfig, "--leader-elect=false", "--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", freePort()), "--cert-dir="+filepath.Join(folder, "controllers"),
		"--controllers=job-controller,garbage-collector-controller,namespace-controller")
	if err != nil {
		return "", stop, err
	}
	stops = append(stops, endControllers)
	return kubeconfig, stop, nil
}

func startEtcd(folder string) (string, func(), error) {
	config := embed.NewConfig()
	config.Dir, config.LogLevel = folder, "error"
	clients, peers := loopback(freePort()), loopback(freePort())
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{clients}, []url.URL{clients}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{peers}, []url.URL{peers}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	// What is stored lives no longer than the program.
	config.UnsafeNoFsync = true
	server, err := embed.StartEtcd(config)
	if err != nil {
		return "", nil, err
	}
	select {
	case <-server.Server.ReadyNotify():
		return clients.String(), server.Close, nil
	case <-time.After(startingTime):
		server.Close()
		return "", nil, fmt.Errorf("etcd was not ready after %s", startingTime)
	}
}

func startServer(folder, store string, port int, tokens map[string]string) (func(), error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	pem, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return nil, err
	}
	signing, known := filepath.Join(folder, "signing.pem"), filepath.Join(folder, "tokens.csv")
	if err := os.WriteFile(signing, pem, 0o600); err != nil {
		return nil, err
	}
	users := fmt.Sprintf("%s,admin,1,system:masters\n%s,proof,2\n", tokens["admin"], tokens["proof"])
	if err := os.WriteFile(known, []byte(users), 0o600); err != nil {
		return nil, err
	}
	return startPart(folder, "kube-apiserver",
		"--etcd-servers="+store, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", port), "--cert-dir="+filepath.Join(folder, "server"),
		"--service-cluster-ip-range=10.0.0.0/24", "--endpoint-reconciler-type=none",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-signing-key-file="+signing, "--service-account-key-file="+signing,
		"--token-auth-file="+known, "--authorization-mode=RBAC", "--anonymous-auth=false",
		"--kubelet-preferred-address-types=InternalIP", "--disable-admission-plugins=ServiceAccount")
}

func untilReady(ctx context.Context, folder, kubeconfig, address string, tokens map[string]string) error {
	config := api.NewConfig()
	config.Clusters["cluster"] = &api.Cluster{
		Server: address, CertificateAuthority: filepath.Join(folder, "server", "apiserver.crt"),
	}
	for name, token := range tokens {
		config.AuthInfos[name] = &api.AuthInfo{Token: token}
		config.Contexts[name] = &api.Context{Cluster: "cluster", AuthInfo: name, Namespace: namespace}
	}
	config.CurrentContext = "admin"
	if err := clientcmd.WriteToFile(*config, kubeconfig); err != nil {
		return err
	}
	var last error
	for ends := time.Now().Add(startingTime); time.Now().Before(ends); time.Sleep(500 * time.Millisecond) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rest, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
		if err != nil {
			last = err
			continue
		}
		if last = isReady(ctx, kubernetes.NewForConfigOrDie(rest)); last == nil {
			return nil
		}
	}
	return fmt.Errorf("kube-apiserver was not ready after %s: %w", startingTime, last)
}

func isReady(ctx context.Context, client kubernetes.Interface) error {
	if _, err := client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx); err != nil {
		return err
	}
	_, err := client.CoreV1().Namespaces().Get(ctx, "default", metav1.GetOptions{})
	return err
}

// One part as a process of its own, its output below logs/; it ends with this one.
func startPart(folder, part string, flags ...string) (func(), error) {
	output, err := os.Create(filepath.Join(folder, "logs", part+".log"))
	if err != nil {
		return nil, err
	}
	command := exec.Command("/proc/self/exe", append([]string{part}, flags...)...)
	command.Stdout, command.Stderr = output, output
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if err := command.Start(); err != nil {
		return nil, err
	}
	return func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	}, nil
}

func loopback(port int) url.URL {
	return url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", port)}
}

func freePort() int {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

func nonce() string {
	bytes := make([]byte, 16)
	_, _ = rand.Read(bytes)
	return hex.EncodeToString(bytes)
}
