// The node: it takes every pod that has none, runs it (pod.go), and answers for its logs as a kubelet does.
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	certutil "k8s.io/client-go/util/cert"
)

const (
	nodeName  = "this-machine"
	lookEvery = 200 * time.Millisecond
	graceTime = 5 * time.Second
)

type node struct {
	client kubernetes.Interface
	folder string
	k6     string
	wanted wishes
	mutex  sync.Mutex
	// By the pod's UID.
	running map[string]*process
	count   int
}

func startNode(ctx context.Context, client kubernetes.Interface, folder string, wanted wishes) (*node, error) {
	k6, err := exec.LookPath(wanted.k6)
	if err != nil {
		return nil, err
	}
	one := &node{client: client, folder: folder, k6: k6, wanted: wanted, running: map[string]*process{}}
	port, err := one.serveLogs(ctx)
	if err != nil {
		return nil, err
	}
	self := &core.Node{ObjectMeta: meta.ObjectMeta{Name: nodeName}, Status: core.NodeStatus{
		Addresses:       []core.NodeAddress{{Type: core.NodeInternalIP, Address: "127.0.0.1"}},
		DaemonEndpoints: core.NodeDaemonEndpoints{KubeletEndpoint: core.DaemonEndpoint{Port: int32(port)}},
		Conditions:      []core.NodeCondition{{Type: core.NodeReady, Status: core.ConditionTrue}},
	}}
	if _, err := client.CoreV1().Nodes().Create(ctx, self, meta.CreateOptions{}); err != nil {
		return nil, err
	}
	go func() {
		for ctx.Err() == nil {
			if err := one.look(ctx); err != nil && ctx.Err() == nil {
				log.Printf("node: %v", err)
			}
			time.Sleep(lookEvery)
		}
	}()
	return one, nil
}

// Begins what is new, and ends what is to be deleted.
func (one *node) look(ctx context.Context) error {
	pods, err := one.client.CoreV1().Pods(namespace).List(ctx, meta.ListOptions{})
	if err != nil {
		return err
	}
	one.mutex.Lock()
	defer one.mutex.Unlock()
	for at := range pods.Items {
		pod := &pods.Items[at]
		known := one.running[string(pod.UID)]
		switch {
		case pod.DeletionTimestamp != nil:
			go one.remove(ctx, pod, known)
		case pod.Spec.NodeName == "":
			binding := &core.Binding{ObjectMeta: meta.ObjectMeta{Name: pod.Name}, Target: core.ObjectReference{Kind: "Node", Name: nodeName}}
			if err := one.client.CoreV1().Pods(namespace).Bind(ctx, binding, meta.CreateOptions{}); err != nil {
				return err
			}
		case known == nil && pod.Status.Phase == core.PodPending:
			one.count++
			begun := &process{address: fmt.Sprintf("127.0.1.%d", 1+one.count%250), log: filepath.Join(one.folder, string(pod.UID), "log")}
			one.running[string(pod.UID)] = begun
			go one.carryOut(ctx, pod.DeepCopy(), begun)
		}
	}
	return nil
}

func (one *node) remove(ctx context.Context, pod *core.Pod, known *process) {
	if known != nil {
		known.end(graceTime)
	}
	now := int64(0)
	_ = one.client.CoreV1().Pods(namespace).Delete(ctx, pod.Name, meta.DeleteOptions{GracePeriodSeconds: &now})
}

func (one *node) stop() {
	one.mutex.Lock()
	defer one.mutex.Unlock()
	for _, known := range one.running {
		known.end(0)
	}
}

// The address that kube-apiserver asks for logs: /containerLogs/NAMESPACE/POD/CONTAINER.
func (one *node) serveLogs(ctx context.Context) (int, error) {
	certificate, key, err := certutil.GenerateSelfSignedCertKey("127.0.0.1", []net.IP{net.IPv4(127, 0, 0, 1)}, nil)
	if err != nil {
		return 0, err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return 0, err
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}})
	if err != nil {
		return 0, err
	}
	server := &http.Server{Handler: http.HandlerFunc(one.answerLogs), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

func (one *node) answerLogs(answer http.ResponseWriter, request *http.Request) {
	words := strings.Split(strings.Trim(request.URL.Path, "/"), "/")
	if len(words) != 4 || words[0] != "containerLogs" {
		http.NotFound(answer, request)
		return
	}
	pod, err := one.client.CoreV1().Pods(words[1]).Get(request.Context(), words[2], meta.GetOptions{})
	if err != nil {
		http.NotFound(answer, request)
		return
	}
	text, err := os.ReadFile(filepath.Join(one.folder, string(pod.UID), "log"))
	if err != nil {
		http.Error(answer, "the container has not begun", http.StatusBadRequest)
		return
	}
	_, _ = io.WriteString(answer, lastLines(string(text), request.URL.Query().Get("tailLines")))
}

func lastLines(text, wanted string) string {
	count, err := strconv.Atoi(wanted)
	lines := strings.SplitAfter(text, "\n")
	if err != nil || count+1 >= len(lines) {
		return text
	}
	return strings.Join(lines[len(lines)-count-1:], "")
}
