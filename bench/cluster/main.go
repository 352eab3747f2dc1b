// A Kubernetes of real parts on 127.0.0.1, for a search for capacity to run on: etcd, kube-apiserver and the controllers of
// Jobs and of garbage, built from their modules. Pods are processes of this machine (node.go), and TestRuns are carried out
// by a stand-in for k6-operator (launcher.go); `-stand-in=false -crd k6.io_testruns.yaml` leaves them to a k6-operator that you
// run. docs/cluster.md tells what it shows.
//
//	cd bench/cluster
//	go build -ldflags "-X k8s.io/component-base/version.gitVersion=v1.33.13" -o cluster .   once; 20 minutes of two busy cores
//	./cluster -minutes 15 FOLDER &                        starts all, writes FOLDER/kubeconfig, and ends by itself
//	KUBECONFIG=$PWD/FOLDER/kubeconfig node search.ts      Node 24
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

// Namespace of the load, and all that is looked at.
const namespace = "load"

// What breaks on purpose, and how long all of it may last.
type wishes struct {
	definition string
	k6         string
	image      string
	late       time.Duration
	kill       time.Duration
	standIn    bool
}

func main() {
	if len(os.Args) > 1 {
		part := os.Args[1]
		switch part {
		case "kube-apiserver", "kube-controller-manager":
			os.Args = append([]string{part}, os.Args[2:]...)
			if part == "kube-apiserver" {
				os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
			}
			os.Exit(cli.Run(controllers.NewControllerManagerCommand()))
		}
	}
	var wanted wishes
	minutes := flag.Int("minutes", 15, "ends after so long")
	flag.StringVar(&wanted.definition, "crd", "", "k6-operator's own definition of TestRuns, JSON or YAML (default: testruns.yaml)")
	flag.StringVar(&wanted.k6, "k6", "k6", "the k6 that pods run")
	flag.StringVar(&wanted.image, "image", "grafana/k6:1.8.1", "the only image of k6 that the node has")
	flag.DurationVar(&wanted.late, "late", 0, "start each instance so much later than the one before")
	flag.DurationVar(&wanted.kill, "kill", 0, "kill the second instance of each run after so long")
	flag.BoolVar(&wanted.standIn, "stand-in", true, "carry out TestRuns; false: k6-operator does")
	flag.Parse()
	folder, err := filepath.Abs(flag.Arg(0))
	if err != nil || flag.NArg() != 1 {
		log.Fatal("usage: cluster [flags] FOLDER")
	}
	asked, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer release()
	ctx, cancel := context.WithTimeout(asked, time.Duration(*minutes)*time.Minute)
	defer cancel()
	if err := run(ctx, folder, wanted); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, folder string, wanted wishes) error {
	if err := os.MkdirAll(filepath.Join(folder, "logs"), 0o700); err != nil {
		return err
	}
	kubeconfig, stop, err := startControlPlane(ctx, folder)
	defer stop()
	if err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 200, 400
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	if err := furnish(ctx, client, objects, wanted.definition); err != nil {
		return fmt.Errorf("the cluster was not furnished: %w", err)
	}
	node, err := startNode(ctx, client, filepath.Join(folder, "pods"), wanted)
	if err != nil {
		return err
	}
	defer node.stop()
	if wanted.standIn {
		go (&launcher{client: client, objects: objects, late: wanted.late}).run(ctx)
	}
	fmt.Printf("ready: KUBECONFIG=%s, contexts admin and proof\n", kubeconfig)
	<-ctx.Done()
	return nil
}
