package objects

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// News is what a controller is to look at; as many may wait.
type News chan event.GenericEvent

// NewNews has room for all that may come while the controller waits.
func NewNews() News { return make(News, 1<<14) }

// Start starts a controller with its queue and back-off; it ends with the context.
func Start(ctx context.Context, name string, reconciler reconcile.Reconciler, news News) error {
	once := true
	own, err := controller.NewUnmanaged(name, controller.Options{Reconciler: reconciler,
		MaxConcurrentReconciles: 1, SkipNameValidation: &once})
	if err != nil {
		return err
	}
	if err := own.Watch(source.Channel(news, &handler.EnqueueRequestForObject{})); err != nil {
		return err
	}
	go func() {
		if err := own.Start(ctx); err != nil {
			panic(err)
		}
	}()
	return nil
}

// Unread takes events that nobody reads.
type Unread struct{}

// Eventf takes one.
func (Unread) Eventf(_, _ runtime.Object, _, _, _, _ string, _ ...any) {}
